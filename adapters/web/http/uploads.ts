import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Failure } from '../../../src/core/failure.ts';
import { failure } from '../../../src/core/failure.ts';
import type { Result } from '../../../src/core/result.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { IncomingFile } from '../../../src/ports/adapter.ts';
import { cleanFileName, cleanType } from '../decode.ts';
import { httpLimits } from '../limits.ts';

export type UploadLimits = { readonly textChars: number; readonly files: number; readonly fileBytes: number };
/** A multipart form: its text fields as a body, and its files, read whole and bounded. */
export type Upload = { readonly fields: Readonly<Record<string, string>>; readonly files: readonly IncomingFile[] };

/** Bytes that all requests of this process hold at the moment. */
export type UploadBudget = { held: number };

/**
 * Reads a form. The first thing over a limit decides the answer; what follows is read and thrown away, since a sender that is cut off in
 * mid-upload sees a broken connection and never the answer. Memory is bounded over all requests by the budget; beyond it a sender is asked
 * to come back.
 */
export const readUpload = async (request: FastifyRequest, limits: UploadLimits, budget: UploadBudget): Promise<Result<Upload, Failure>> => {
  const fields: Record<string, string> = {};
  let files: IncomingFile[] = [];
  let failed: Failure | null = null;
  let held = 0;
  const refuse = (why: Failure): void => {
    failed ??= why;
    files = [];
    budget.held -= held;
    held = 0;
  };
  try {
    const parts = request.parts({
      limits: { fileSize: limits.fileBytes, files: limits.files, fieldSize: httpLimits.bodyBytes, fields: 20, headerPairs: 100 },
    });
    for await (const part of parts) {
      if (part.type === 'field') {
        if (part.valueTruncated) refuse(failure('message-too-long', { length: httpLimits.bodyBytes, limit: limits.textChars }));
        if (typeof part.value === 'string') fields[part.fieldname] = part.value;
        continue;
      }
      // Browsers write a quotation mark in a name as %22.
      const name = cleanFileName(part.filename.replaceAll('%22', '"'));
      let chunks: Buffer[] = [];
      for await (const chunk of bytesOf(part)) {
        if (failed !== null) continue;
        held += chunk.length;
        budget.held += chunk.length;
        chunks.push(chunk);
        if (budget.held > httpLimits.uploadBytesAtOnce) {
          chunks = [];
          refuse(failure('rate-limited', { waitSeconds: 5 }));
        }
      }
      if (part.file.truncated) refuse(failure('file-too-large', { name, limit: limits.fileBytes }));
      // A form with an empty file field sends a nameless file of no bytes.
      if (failed === null && (part.filename !== '' || chunks.length > 0)) {
        files.push({ name, type: cleanType(part.mimetype), bytes: Buffer.concat(chunks) });
      }
    }
    return failed === null ? ok({ fields, files }) : err(failed);
  } catch (cause) {
    return err(failed ?? toFailure(cause, limits));
  } finally {
    budget.held -= held;
  }
};

const bytesOf = (part: Extract<Multipart, { type: 'file' }>): AsyncIterable<Buffer> => part.file;

const toFailure = (cause: unknown, limits: UploadLimits): Failure => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'FST_FILES_LIMIT':
      return failure('too-many-files', { limit: limits.files });
    case 'FST_REQ_FILE_TOO_LARGE':
      return failure('file-too-large', { name: 'That file', limit: limits.fileBytes });
    default:
      return failure('request-malformed', { what: 'the form cannot be read' }, '', cause);
  }
};
