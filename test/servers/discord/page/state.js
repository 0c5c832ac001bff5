/** What the page shows; filled by main.js. */
export const state = {
  me: '1300000000000000001',
  guild: '1100000000000000001',
  channel: '1200000000000000001',
  people: [],
  guilds: [],
  direct: [],
  commands: [],
  bot: '',
  /** The message that the composer answers. */
  replyTo: null,
};

export const nameOf = (id) => state.people.find((one) => one.id === id)?.name ?? 'unknown-user';

/** The channel or thread with this id, wherever it is. */
export const placeOf = (id) => {
  for (const guild of state.guilds)
    for (const channel of guild.channels) {
      if (channel.id === id) return { ...channel, guild, thread: null };
      const thread = channel.threads.find((one) => one.id === id);
      if (thread !== undefined) return { ...thread, guild, thread, parent: channel };
    }
  const direct = state.direct.find((one) => one.id === id);
  return direct === undefined ? null : { ...direct, guild: null, thread: null };
};
