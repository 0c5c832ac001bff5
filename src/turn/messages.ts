/** Context items -> what the model is sent. The only place where the conversation's prompts are rendered. */
import type { ContextItem } from '../core/context-item.ts';
import type { PromptStamp } from '../core/conversation.ts';
import type { StoredFile } from '../core/message.ts';
import { picturesOf } from '../core/picture.ts';
import { render } from '../core/prompt.ts';
import type { RenderedPrompt } from '../core/prompt.ts';
import type { Hint } from '../core/turn-state.ts';
import type { ModelImage, ModelMessage } from '../ports/model.ts';
import {
  decidedPrompt,
  gapPrompt,
  generatedCodeExecutedPrompt,
  heardPrompt,
  hintPrompt,
  picturesPrompt,
  redactedPrompt,
  requestPrompt,
  sessionFactsPrompt,
  stateMovedPrompt,
  summaryPrompt,
  toolResultPrompt,
  userCodeExecutedPrompt,
} from '../prompts/index.ts';
import { noPictures } from './pictures.ts';
import type { Pictures } from './pictures.ts';

/** `pictures`: those that the model is shown. What a run of the model drew follows the results of its step, for a result can hold none. */
export const toMessages = (items: readonly ContextItem[], hint: Hint, pictures: Pictures = noPictures): readonly ModelMessage[] => {
  const messages: ModelMessage[] = [];
  let drawn: readonly ModelImage[] = [];
  const showDrawn = (): void => {
    if (drawn.length > 0) messages.push({ ...user(render(picturesPrompt, {})), images: drawn });
    drawn = [];
  };
  for (const item of items) {
    if (item.kind !== 'result') showDrawn();
    messages.push(toMessage(item, pictures));
    if (item.kind === 'result') drawn = [...drawn, ...shownOf(item, pictures)];
  }
  showDrawn();
  return hint === 'none' ? messages : [...messages, user(render(hintPrompt, { hint }))];
};

const shownOf = (item: ContextItem, pictures: Pictures): readonly ModelImage[] => picturesOf(item).flatMap((id) => pictures.get(id) ?? []);

const withPictures = (content: RenderedPrompt, images: readonly ModelImage[]): ModelMessage =>
  images.length === 0 ? user(content) : { role: 'user', content, images };

const toMessage = (item: ContextItem, pictures: Pictures): ModelMessage => {
  switch (item.kind) {
    case 'said': {
      const { author, text } = item.entry;
      const files = item.entry.files.map((file) => ({ ...file, picture: pictureIn(file, pictures) }));
      return withPictures(render(requestPrompt, { speaker: author.name, text, files }), shownOf(item, pictures));
    }
    case 'heard':
      return user(render(heardPrompt, { messages: item.entry.messages }));
    case 'redacted':
      return user(render(redactedPrompt, { entry: item.entry }));
    case 'person-ran':
      return withPictures(render(userCodeExecutedPrompt, { run: item.entry.run }), shownOf(item, pictures));
    case 'assistant':
      return { role: 'assistant', text: item.text, calls: item.calls, passBack: item.passBack };
    case 'result':
      return {
        role: 'tool',
        call: item.call,
        content: item.run === null ? render(toolResultPrompt, { text: item.text }) : render(generatedCodeExecutedPrompt, { run: item.run }),
      };
    case 'moved':
      return user(render(stateMovedPrompt, { moved: item.entry }));
    case 'decided':
      return user(render(decidedPrompt, { decided: item.entry }));
    case 'summary':
      return user(render(summaryPrompt, { text: item.text }));
    case 'session':
      return user(render(sessionFactsPrompt, { facts: item.facts }));
    case 'gap':
      return user(render(gapPrompt, { left: item.left }));
    default:
      return item satisfies never;
  }
};
const pictureIn = (file: StoredFile, pictures: Pictures): 'shown' | 'hidden' | 'none' =>
  pictures.has(file.blob) ? 'shown' : file.type.startsWith('image/') ? 'hidden' : 'none';

const user = (content: RenderedPrompt): Extract<ModelMessage, { role: 'user' }> => ({ role: 'user', content });

/** The stamps of all prompts in a request, each once, in order of first use. */
export const stampsOf = (system: RenderedPrompt, messages: readonly ModelMessage[]): readonly PromptStamp[] => {
  const stamps = [system, ...messages.flatMap((message) => (message.role === 'assistant' ? [] : [message.content]))].map(
    (prompt) => prompt.stamp,
  );
  const seen = new Set<string>();
  return stamps.filter((stamp) => {
    const key = `${stamp.id}@${stamp.version}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};
