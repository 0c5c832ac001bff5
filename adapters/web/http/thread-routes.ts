/** The API of threads. docs/web-api.md describes it; other programs rely on it. */
import type { FastifyInstance } from 'fastify';
import { toMessages } from '../../../src/core/view.ts';
import type { InboundDeps } from '../../../src/ports/adapter.ts';
import { runCommand } from '../commands.ts';
import { addressOfThread, bodies, checkMessage, decodeAuthor, decodeBody, decodeThread, messageKey, threadOf } from '../decode.ts';
import { encodeAccepted, toMessageJson, toPendingJson } from '../encode.ts';
import { httpLimits } from '../limits.ts';
import { blobHeaders } from './blobs.ts';
import { feedOf } from './event-feed.ts';
import type { KnownThreads } from './known-threads.ts';
import { drain, sendFailure } from './reply.ts';
import { streamFrames } from './sse.ts';
import type { UploadBudget } from './uploads.ts';
import { readUpload } from './uploads.ts';
import { failure } from '../../../src/core/failure.ts';
import { isBlobId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';

type ThreadRoute = { Params: { id: string } };
export const BOT_NAME = 'Hektor';

/** Adds the routes under `/api/threads`. `closing` aborts when the server ends, and all open streams with it. */
export const addThreadRoutes = (app: FastifyInstance, deps: InboundDeps, known: KnownThreads, closing: AbortSignal): void => {
  const { gateway, events, clock, log } = deps;
  const budget: UploadBudget = { held: 0 };

  app.get('/api/threads', async (_request, reply) => {
    const recent = await gateway.recent('web', '', httpLimits.threadsListed);
    if (!recent.ok) return sendFailure(reply, recent.failure);
    return { threads: recent.value.map(({ conversation, title, at }) => ({ id: threadOf(conversation), title, at })) };
  });

  app.post('/api/threads', async (request, reply) => {
    const body = decodeBody(bodies.thread, request.body);
    if (!body.ok) return sendFailure(reply, body.failure);
    const opened = await gateway.open(addressOfThread(clock.newId()), decodeAuthor(body.value.author));
    if (!opened.ok) return sendFailure(reply, opened.failure);
    known.add(opened.value);
    return reply.code(201).send({ id: threadOf(opened.value) });
  });

  app.get<ThreadRoute>('/api/threads/:id', async (request, reply) => {
    const conversation = decodeThread(request.params.id);
    if (!conversation.ok) return sendFailure(reply, conversation.failure);
    const read = await gateway.read(conversation.value);
    if (!read.ok) return sendFailure(reply, read.failure);
    if (read.value === null) return sendFailure(reply, failure('thread-unknown', {}));
    const { id } = request.params;
    const { entries, pending, busy, session } = read.value;
    const done = toMessages(entries, BOT_NAME).map((view) => toMessageJson(id, view));
    const told = new Set<string>(done.map((message) => message.id));
    const waiting = pending.filter((item) => !told.has(item.key)).map((item) => toPendingJson(id, item));
    return { id, busy, createdAt: session.createdAt, runs: session.runs, messages: [...done, ...waiting] };
  });

  app.post<ThreadRoute>('/api/threads/:id/messages', async (request, reply) => {
    const conversation = decodeThread(request.params.id);
    const there = conversation.ok ? await known.has(conversation.value) : conversation;
    if (!conversation.ok || !there.ok) {
      drain(request);
      return sendFailure(reply, conversation.ok ? (there.ok ? failure('thread-unknown', {}) : there.failure) : conversation.failure);
    }
    const upload = request.isMultipart() ? await readUpload(request, gateway.limits, budget) : ok({ fields: request.body, files: [] });
    if (!upload.ok) {
      drain(request);
      return sendFailure(reply, upload.failure);
    }
    const { files } = upload.value;
    const body = decodeBody(bodies.message, request.isMultipart() ? { text: '', ...toObject(upload.value.fields) } : upload.value.fields);
    if (!body.ok) return sendFailure(reply, body.failure);
    const { text } = body.value;
    const checked = checkMessage(text, files.length, gateway.limits);
    if (!checked.ok) return sendFailure(reply, checked.failure);

    const author = decodeAuthor(body.value.author);
    const key = messageKey(body.value.key, clock.newId);
    const address = addressOfThread(request.params.id);
    const accepted = await gateway.accept({
      kind: 'message',
      address,
      key,
      author,
      standing: 'member',
      text,
      files,
      earlier: [],
      origin: { request: key },
    });
    if (!accepted.ok) return sendFailure(reply, accepted.failure);
    const { duplicate, answer } = accepted.value;
    if (!duplicate && answer === null) {
      const told = { id: key, author: author.name, at: clock.now(), text, files: files.length };
      const appended = await events.append(conversation.value, encodeAccepted(told));
      // Only those who look on miss something, and they see it when the turn begins.
      if (!appended.ok) log.debug({ code: appended.failure.code }, 'a message was not told to those who look on');
    }
    return reply.code(202).send({ messageId: key, duplicate, ...(answer === null ? {} : { answer }) });
  });

  app.get<ThreadRoute & { Querystring: { after?: string } }>('/api/threads/:id/events', async (request, reply) => {
    const conversation = decodeThread(request.params.id);
    if (!conversation.ok) return sendFailure(reply, conversation.failure);
    const there = await known.has(conversation.value);
    if (!there.ok) return sendFailure(reply, there.failure);
    const latest = await events.latest(conversation.value);
    if (!latest.ok) return sendFailure(reply, latest.failure);
    const given = request.headers['last-event-id'] ?? request.query.after;
    const after = typeof given === 'string' && /^[0-9A-Za-z_.:-]{1,100}$/.test(given) ? given : null;
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    const start = { conversation: conversation.value, latest: latest.value, after };
    await streamFrames(reply.raw, (signal) => feedOf(events, start, signal), closing);
    return reply;
  });

  app.post<{ Params: { id: string; name: string } }>('/api/threads/:id/commands/:name', async (request, reply) => {
    const conversation = decodeThread(request.params.id);
    if (!conversation.ok) return sendFailure(reply, conversation.failure);
    const there = await known.has(conversation.value);
    if (!there.ok) return sendFailure(reply, there.failure);
    const { name } = request.params;
    if (!gateway.commands.some((command) => command.name === name)) {
      return sendFailure(reply, failure('command-unknown', { name: name.slice(0, 40) }));
    }
    const body = decodeBody(bodies.command, request.body);
    if (!body.ok) return sendFailure(reply, body.failure);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const call = {
      conversation: conversation.value,
      author: decodeAuthor(body.value.author),
      name,
      args: body.value.args,
      key: body.value.key,
    };
    const answered = await runCommand(deps, call, AbortSignal.any([gone.signal, closing]));
    if (!answered.ok) return sendFailure(reply, answered.failure);
    const { refused, ...answer } = answered.value;
    if (refused) return reply.code(400).send({ error: { code: 'command-refused', message: answer.text } });
    return reply.code(answer.done ? 200 : 202).send(answer);
  });

  app.get<{ Params: { id: string; blob: string; name: string } }>('/api/threads/:id/files/:blob/:name', async (request, reply) => {
    const { id, blob, name } = request.params;
    const conversation = decodeThread(id);
    if (!conversation.ok) return sendFailure(reply, conversation.failure);
    const bytes = isBlobId(blob) ? await gateway.blob(conversation.value, blob) : ok(null);
    if (!bytes.ok) return sendFailure(reply, bytes.failure);
    if (bytes.value === null) return reply.code(404).send({ error: { code: 'file-unknown', message: 'That file is no longer here.' } });
    const { buffer, byteOffset, byteLength } = bytes.value;
    return reply.headers(blobHeaders(name, bytes.value)).send(Buffer.from(buffer, byteOffset, byteLength));
  });
};

const toObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
