/**
 * What the loop is compared with: a script that does nothing but ask the same server by the `openai` package and read the stream.
 * `node plain-chat.ts URL PARALLEL COUNT MESSAGES` asks COUNT times with a history of MESSAGES, PARALLEL at a time, and prints one line of JSON.
 */
import OpenAI from 'openai';

const [baseURL = '', parallel = '1', count = '1', messages = '1'] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
const now = (): number => performance.timeOrigin + performance.now();
const history = Array.from({ length: Number(messages) }, (_, n) => ({
  role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Message ${n} of this thread, about as long as what people write in a chat when they have something to say to each other.`,
}));
const before: number[] = [];
const after: number[] = [];

const ask = async (): Promise<void> => {
  const started = now();
  const stream = await client.chat.completions.create({
    model: 'instant',
    messages: history,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  for await (const part of stream) text += part.choices[0]?.delta.content ?? '';
  const ended = now();
  const [, arrived = '0', sent = '0'] = /arrived=([\d.]+) sent=([\d.]+)/.exec(text) ?? [];
  before.push(Number(arrived) - started);
  after.push(ended - Number(sent));
};
const many = async (times: number, side: number): Promise<void> => {
  let left = times;
  await Promise.all(
    Array.from({ length: side }, async () => {
      while (left-- > 0) await ask();
    }),
  );
};
await many(50, Number(parallel));
before.length = 0;
after.length = 0;
const cpu = process.cpuUsage();
const began = performance.now();
await many(Number(count), Number(parallel));
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(
  `${JSON.stringify({ perSecond: (Number(count) * 1000) / ms, cpuMs: (user + system) / 1000 / Number(count), before, after })}\n`,
);
process.exit(0);
