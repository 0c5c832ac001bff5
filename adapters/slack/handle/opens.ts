/**
 * Opens views. A trigger lives three seconds, so this is done by the process that took the delivery, as soon as it is acknowledged, and waits for
 * nothing that could be slow. A view that could not be opened costs a second press, nothing more.
 */
import type { ChannelSettings } from '../../../src/core/channel-settings.ts';
import type { ModalView } from '@slack/types';
import { attempt } from '../api/client.ts';
import { readSlash } from '../commands.ts';
import type { Decoded } from '../decode.ts';
import type { Installed } from '../decode/decode-envelope.ts';
import { addressIn, NO_THREAD } from './desk.ts';
import type { Desk } from './desk.ts';
import { askAboutModal, newChatModal, settingsModal } from './modals.ts';
import { rawText } from '../decode/decode-blocks.ts';
import { readText } from '../decode/decode-text.ts';

/** How long a modal waits for what it could show beside its fields. */
const PATIENCE_MS = 600;

export const createOpens =
  (desk: Desk) =>
  (decoded: Decoded): void => {
    void open(desk, decoded).catch((error: unknown) => {
      desk.log.error({ error: error instanceof Error ? error.stack : String(error) }, 'opening a view failed');
    });
  };

const open = async (desk: Desk, decoded: Decoded): Promise<void> => {
  if (decoded.kind === 'new-chat') return show(desk, decoded.by, decoded.trigger, newChatModal());
  if (decoded.kind === 'asked-about') {
    const { place, message, trigger } = decoded;
    const about = { channel: place.channel, ts: place.ts, root: place.root, note: trigger };
    const excerpt = readText(rawText(message), { user: () => undefined, channel: () => undefined });
    return show(desk, decoded.by, trigger, askAboutModal(about, excerpt));
  }
  if (decoded.kind === 'pressed' && decoded.press.kind === 'open') {
    if (decoded.press.view === 'new-chat') return show(desk, decoded.by, decoded.trigger, newChatModal());
    return settings(desk, decoded.by, decoded.selected || (decoded.place?.channel ?? ''), decoded.trigger);
  }
  if (decoded.kind !== 'slashed') return undefined;
  const call = readSlash(decoded.command, decoded.raw, desk.config.command, desk.gateway.commands);
  return call.kind === 'settings' ? settings(desk, decoded.by, decoded.channel, decoded.trigger) : undefined;
};

const settings = async (desk: Desk, by: Installed, channel: string, trigger: string): Promise<void> => {
  const command = desk.gateway.commands.find(({ name }) => name === 'settings');
  if (command === undefined || channel === '') return undefined;
  const late: Promise<ChannelSettings | null> = desk.clock.sleep(PATIENCE_MS).then(() => null);
  const read = desk.gateway.settings(addressIn(by, channel, NO_THREAD)).then((now) => (now.ok ? now.value : null));
  return show(desk, by, trigger, settingsModal(command, channel, await Promise.race([read, late])));
};

const show = async (desk: Desk, by: Installed, trigger: string, view: ModalView): Promise<void> => {
  const client = await desk.clients.of(by.workspace, by.team);
  if (!client.ok) return desk.log.warn({ detail: client.failure.detail }, 'a view could not be opened: there is no token');
  const opened = await attempt(() => client.value.web.views.open({ trigger_id: trigger, view }));
  if (!opened.ok) desk.log.warn({ detail: opened.failure.detail }, 'a view could not be opened');
};
