/** What stands in for an answer that was too large to be read. */
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/sdk/types.js';

/** Bytes of one message of a server. */
export const MAX_MESSAGE = 8_000_000;

const OVERSIZE_CODE = -32_999;

export const oversizeAnswer = (id: number | string): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code: OVERSIZE_CODE, message: `the answer is larger than ${MAX_MESSAGE / 1_000_000} MB` },
});
