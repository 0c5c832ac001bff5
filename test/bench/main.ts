/** `npm run bench [-- NAME...]`: runs test/bench/NAME.bench.ts one after another; without names, all. */
import { readdirSync } from 'node:fs';
import { print } from './measure.ts';

const ending = '.bench.ts';
const all = readdirSync(import.meta.dirname).flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : []));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  print(`There is no benchmark ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exitCode = 1;
} else {
  for (const name of wanted.length === 0 ? all : wanted) {
    print(`== ${name}`);
    const { bench } = (await import(`./${name}${ending}`)) as { readonly bench: () => Promise<void> };
    await bench();
  }
}
