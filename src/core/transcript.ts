/** A stretch of context as plain text, for a model that is to sum it up: as text it cannot be mistaken for a conversation to go on with. Pure. */
import type { ContextItem } from './context-item.ts';
import type { Run } from './run.ts';
import { cutMiddle } from './text.ts';

const SAID = 6_000;
const HEARD = 1_000;
const RESULT = 2_000;
const CODE = 2_000;

/** At most about `max` characters; where there is more, the middle is left out. */
export const transcript = (items: readonly ContextItem[], max: number): string =>
  cutMiddle(
    items
      .map(line)
      .filter((text) => text !== '')
      .join('\n\n'),
    max,
  );

const line = (item: ContextItem): string => {
  switch (item.kind) {
    case 'said':
      return `${item.entry.author.name}: ${cutMiddle(item.entry.text, SAID)}${item.entry.files.map((file) => `\n[file: ${file.name}]`).join('')}`;
    case 'heard':
      return item.entry.messages.map((one) => `(Earlier, ${one.author.name}: ${cutMiddle(one.text, HEARD)})`).join('\n');
    case 'person-ran':
      return `${item.entry.run.author?.name ?? 'Somebody'} ran code themselves. ${ran(item.entry.run)}`;
    case 'assistant':
      return [
        item.text === '' ? '' : `Hektor: ${cutMiddle(item.text, SAID)}`,
        ...item.calls.map((call) => `Hektor called ${call.name}: ${cutMiddle(call.arguments, CODE)}`),
      ]
        .filter((text) => text !== '')
        .join('\n');
    case 'result':
      return item.run === null
        ? `Result of ${item.call.name}: ${cutMiddle(item.text, RESULT)}`
        : `Result: ${ran({ ...item.run, code: '' })}`;
    case 'moved':
      return `${item.entry.by.name}: ${item.entry.how}, back to run ${item.entry.toRun}`;
    case 'decided':
      return `${item.entry.by.name} ${item.entry.verdict} the call of ${item.entry.tool} with ${cutMiddle(item.entry.arguments, CODE)}`;
    case 'redacted':
    case 'summary':
    case 'gap':
    case 'session':
      return '';
    default:
      return item satisfies never;
  }
};

const ran = ({ n, code, output, value, error, end, files }: Run): string =>
  [
    `Run ${n} (${end}).`,
    code === '' ? '' : `Code:\n${cutMiddle(code, CODE)}`,
    output === '' ? '' : `Output:\n${cutMiddle(output, RESULT)}`,
    value === null ? '' : `Value: ${cutMiddle(value, RESULT)}`,
    error === null ? '' : `Error: ${error.type}: ${cutMiddle(error.value, 300)}`,
    ...files.map((file) => `[file: ${file.name}]`),
  ]
    .filter((text) => text !== '')
    .join('\n');
