import { PERSONA_CHARS } from '../core/channel-settings.ts';
import { defineCommand, option } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import { codeBlock } from '../core/markdown-text.ts';
import { err, ok } from '../core/result.ts';

/** How the bot presents itself in this thread: tone, role, language. It is words for the model and gives no rights. */
export const personaCommand = defineCommand({
  name: 'persona',
  description: 'Show or choose how I present myself in this thread',
  usage: 'persona [text | none | default]',
  options: [option('text', 'Tone, role or language; none for no persona, default for the channel’s')],
  action: 'change-settings',
  when: 'in-turn',
  special: (args) => (args.trim() === '' ? { action: 'read', when: 'now' } : null),
  run: async ({ args }, { session, settings }) => {
    const wanted = args.trim();
    if (wanted === '') return ok({ text: describe(session.persona, settings.persona), private: true });
    if (wanted.length > PERSONA_CHARS)
      return err(failure('command-arguments', { usage: `\`persona TEXT\` with at most ${PERSONA_CHARS} characters` }));
    switch (wanted.toLowerCase()) {
      case 'none':
        return ok({ text: 'I am myself again in this thread.', session: { ...session, persona: '' } });
      case 'default':
        return ok({ text: 'In this thread I present myself as the channel has it.', session: { ...session, persona: null } });
      default:
        return ok({ text: 'From the next message on I present myself so in this thread.', session: { ...session, persona: wanted } });
    }
  },
});

const describe = (own: string | null, channel: string): string => {
  const persona = own ?? channel;
  const where = own === null ? 'this channel' : 'this thread';
  return persona === ''
    ? 'I have no persona here. `persona TEXT` gives me one for this thread.'
    : `The persona of ${where}:\n\n${codeBlock(persona, 'text')}`;
};
