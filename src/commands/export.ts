import { choicesOf, defineCommand, option } from '../core/command.ts';
import type { CommandView } from '../core/command.ts';
import { fileNameOf, picturesOf, toMarkdown, toStory } from '../core/export.ts';
import type { Story } from '../core/export.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { BlobId } from '../core/ids.ts';
import { toNotebook } from '../core/notebook.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';

/** The thread as a notebook that runs from top to bottom, or as Markdown. */
export const exportCommand = defineCommand({
  name: 'export',
  description: 'Take the thread home as a Jupyter notebook, or as Markdown',
  usage: 'export [ipynb|md]',
  options: [option('form', 'A notebook, or Markdown', { choices: choicesOf(['ipynb', 'md']) })],
  action: 'read',
  when: 'now',
  run: async ({ args, now }, view) => {
    const form = forms.get(args.trim().replace(/^\./, '').toLowerCase());
    if (form === undefined) return err(failure('command-arguments', { usage: '`export`, `export ipynb` or `export md`' }));
    const entries = await view.entries();
    if (!entries.ok) return entries;
    const state = await view.manifest(view.session.head);
    if (!state.ok) return state;
    const story = toStory(entries.value, view.session, state.value, 'Hektor', now);
    if (story.parts.length === 0) return ok({ text: 'There is nothing to export yet.', private: true });
    if (form === 'md') {
      const file = { name: fileNameOf(story, 'md'), type: 'text/markdown', content: toMarkdown(story) };
      return ok({ text: 'The thread as Markdown.', files: [file] });
    }
    const pictures = await readPictures(story, view);
    if (!pictures.ok) return pictures;
    const { shown, left } = pictures.value;
    const file = { name: fileNameOf(story, 'ipynb'), type: 'application/x-ipynb+json', content: toNotebook(story, shown) };
    return ok({
      text: [
        'The thread as a notebook: questions and answers as text, every run that counts as a cell.',
        left === 0 ? '' : `${left === 1 ? 'One picture is' : `${left} pictures are`} left out; running the notebook draws them again.`,
        story.files.some((one) => one.sent) ? 'The files that were sent here must lie beside it; its first cell lists them.' : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
      files: [file],
    });
  },
});

const forms: ReadonlyMap<string, 'ipynb' | 'md'> = new Map([
  ['', 'ipynb'],
  ['ipynb', 'ipynb'],
  ['notebook', 'ipynb'],
  ['jupyter', 'ipynb'],
  ['md', 'md'],
  ['markdown', 'md'],
]);

/* Pictures go into the notebook whole, a third larger than they are: beyond this no platform would take the file. */
const PICTURE_BYTES = 5_000_000;

const readPictures = async (
  story: Story,
  view: CommandView,
): Promise<Result<{ readonly shown: ReadonlyMap<BlobId, Uint8Array>; readonly left: number }, Failure>> => {
  const shown = new Map<BlobId, Uint8Array>();
  let room = PICTURE_BYTES;
  let left = 0;
  for (const id of picturesOf(story)) {
    const bytes = room > 0 ? await view.blob(id) : ok(null);
    if (!bytes.ok) return bytes;
    if (bytes.value === null || bytes.value.byteLength > room) {
      left += 1;
    } else {
      shown.set(id, bytes.value);
      room -= bytes.value.byteLength;
    }
  }
  return ok({ shown, left });
};
