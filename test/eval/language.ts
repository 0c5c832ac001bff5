/** Which language a text is written in, by its commonest little words. Good enough for a paragraph, and it says so where it cannot tell. */
const WORDS = {
  en: 'the of and to is that it for was are with as on by this be you not or have can because which its from',
  de: 'der die das und ist nicht ein eine zu den von mit für sich auf dem des auch wird als es weil kann ich du man im aber oder',
  fr: 'le la les des et est une un que pour dans pas qui sur au du avec ce il elle je vous ne car parce plus sont cette',
  es: 'el la los las de que y es una un por con para no se del al lo como más pero porque su está puedo esta son',
} as const;
export type Language = keyof typeof WORDS;

const lists = Object.entries(WORDS).map(([language, words]) => ({ language, words: new Set(words.split(' ')) }));

/** Null where too few little words stand in it, or two languages have as many. Code is left out. */
export const languageOf = (text: string): string | null => {
  const prose = text.replace(/```[\s\S]*?(```|$)|`[^`]*`/g, ' ').toLowerCase();
  const words = prose.match(/\p{L}+/gu) ?? [];
  const counts = lists
    .map((list) => ({ language: list.language, count: words.filter((word) => list.words.has(word)).length }))
    .toSorted((a, b) => b.count - a.count);
  const [first, second] = counts;
  return first === undefined || first.count < 2 || first.count === second?.count ? null : first.language;
};
