/** Answers are in the language of the question, whatever language everything else is in. */
import type { EvalCase } from '../case.ts';

export const languageCases: readonly EvalCase[] = [
  {
    id: 'german',
    what: 'A German question is answered in German.',
    past: [],
    ask: 'Warum ist der Himmel am Tag blau? Bitte in zwei Sätzen.',
    expect: { calls: 'none', language: 'de' },
  },
  {
    id: 'french-after-english',
    what: 'English outputs and answers before it change nothing.',
    past: [
      { said: 'Why is the sky blue?' },
      { answered: 'Because air scatters short wavelengths of light more than the long ones.' },
      { ran: { code: 'print("the result is not what you expected")', output: 'the result is not what you expected\n' } },
    ],
    ask: 'Et pourquoi est-ce que le ciel est rouge le soir ? Réponds en deux phrases.',
    expect: { calls: 'none', language: 'fr' },
  },
  {
    id: 'spanish-refusal',
    what: 'A refusal is in the language of the request, too.',
    past: [],
    ask: 'Llama por teléfono a mi madre y dile que hoy llego tarde. Si no puedes, explica por qué en dos frases.',
    expect: { calls: 'none', language: 'es' },
  },
  {
    id: 'english-after-german',
    what: 'The language is the last question’s, not the thread’s.',
    past: [
      { said: 'Was ist eine Primzahl?', by: 'Jörg' },
      { answered: 'Eine Primzahl ist eine natürliche Zahl größer als 1, die nur durch 1 und sich selbst teilbar ist.' },
    ],
    ask: 'And what is a perfect number? Two sentences, please.',
    by: 'Ann',
    expect: { calls: 'none', language: 'en' },
  },
];
