/** The library as the server hands it out; see ../../http/assets.ts. */
declare const highlighter: {
  readonly getLanguage: (name: string) => object | undefined;
  /** `value` is HTML in which all of the code is escaped. */
  readonly highlight: (code: string, options: { language: string; ignoreIllegals: true }) => { readonly value: string };
};
// oxlint-disable-next-line import/no-default-export -- the library's own form
export default highlighter;
