/** What the bot says of itself: when it is mentioned without words, and where it cannot read what is written. Pure. */

/** How to go on, in two sentences and a hint at the commands. */
export const greeting = (): string =>
  [
    'Hello!',
    'Ask me anything: I answer in a thread, run Python, draw plots and read files that you drop here. Everybody in a thread works on one conversation and one Python state.',
    'To run code yourself, write `!py 6 * 7` or use `/py`. `/help` lists the commands.',
  ].join('\n\n');

export const withheldHint =
  'Discord does not show me what you wrote: my Message Content intent is off, so I can read only messages that mention me. Mention me in your message, reply to one of mine, or use `/ask`. (Whoever runs me can switch the intent on in the Developer Portal, under Bot.)';
