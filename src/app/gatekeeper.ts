/** Asks the gate with what it needs to know of the conversation. */
import type { Action } from '../core/command.ts';
import type { Failure } from '../core/failure.ts';
import { authorise } from '../core/gate.ts';
import type { Rules } from '../core/gate.ts';
import type { Address, ConversationId } from '../core/ids.ts';
import type { Person, Standing } from '../core/message.ts';
import type { Result } from '../core/result.ts';
import type { ChannelSettingsStore } from '../ports/channel-settings.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';
import { subjectOf } from './subject.ts';
import type { CalledCommand } from './subject.ts';

export type GateDeps = { readonly store: ConversationStore; readonly channels: ChannelSettingsStore; readonly rules: Rules };
/** Who wants something, and where. */
export type Asking = { readonly address: Address; readonly author: Person; readonly standing: Standing };

/** Ok, or `forbidden`; or that the store could not be asked. */
export const askGate = async (
  deps: GateDeps,
  conversation: ConversationId,
  { address, author, standing }: Asking,
  action: Action,
  call: CalledCommand | null = null,
): Promise<Result<void, Failure>> => {
  const [subject, session, settings] = await Promise.all([
    subjectOf(deps.store, conversation, call, author),
    deps.store.session(conversation),
    // Of members nothing in the channel's settings is asked.
    standing === 'outsider' ? deps.channels.get(address) : null,
  ]);
  if (!session.ok) return session;
  if (!subject.ok) return subject;
  if (settings?.ok === false) return settings;
  const owner = session.value?.owner ?? null;
  const outsidersHere = settings?.value.outsiders ?? false;
  return authorise({ action, person: author, standing, address, outsidersHere, owner, subject: subject.value }, deps.rules);
};
