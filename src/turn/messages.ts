/** Context items -> what the model is sent. The only place where the conversation's prompts are rendered. */
import type { ContextItem } from '../core/context-item.ts';
import type { PromptStamp } from '../core/conversation.ts';
import { render } from '../core/prompt.ts';
import type { RenderedPrompt } from '../core/prompt.ts';
import type { Hint } from '../core/turn.ts';
import type { ModelMessage } from '../ports/model.ts';
import {
  gapPrompt,
  generatedCodeExecutedPrompt,
  hintPrompt,
  requestPrompt,
  sessionFactsPrompt,
  stateMovedPrompt,
  summaryPrompt,
  toolResultPrompt,
  userCodeExecutedPrompt,
} from '../prompts/index.ts';

export const toMessages = (items: readonly ContextItem[], hint: Hint): readonly ModelMessage[] => [
  ...items.map(toMessage),
  ...(hint === 'none' ? [] : [{ role: 'user' as const, content: render(hintPrompt, { hint }) }]),
];

const toMessage = (item: ContextItem): ModelMessage => {
  switch (item.kind) {
    case 'said':
      return user(render(requestPrompt, { speaker: item.entry.author.name, text: item.entry.text, files: item.entry.files }));
    case 'person-ran':
      return user(render(userCodeExecutedPrompt, { run: item.entry.run }));
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
const user = (content: RenderedPrompt): ModelMessage => ({ role: 'user', content });

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
