/** Addresses of conversations and places in Slack. Pure. */
import { addressOf } from '../../../src/core/ids.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import type { Place } from '../api/api.ts';

const TS = /^\d{6,}\.\d{3,}$/;

/** Where the conversation is; null for an id that is not of a conversation. One whose thread is no message is told in its channel. */
export const placeOf = (conversation: ConversationId): Place | null => {
  const address = addressOf(conversation);
  if (address === undefined) return null;
  return { workspace: address.workspace, channel: address.channel, thread: TS.test(address.thread) ? address.thread : '' };
};

/** Only one person besides the bot is there, so nothing has to be whispered. */
export const isDirect = (place: Place): boolean => place.channel.startsWith('D');

/** A link that opens the thread in Slack, in the browser or the app; null where it has no message of its own. An organisation's id leads to it too. */
export const linkTo = (conversation: ConversationId): string | null => {
  const place = placeOf(conversation);
  if (place === null || place.thread === '') return null;
  const channel = encodeURIComponent(place.channel);
  return `https://app.slack.com/client/${encodeURIComponent(place.workspace)}/${channel}/thread/${channel}-${place.thread}`;
};
