/** Sealing of what is at rest: AES-256-GCM under a key for each kind of thing and each scope, bound to the thing's own name. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Kinds have keys of their own: what was sealed as one never opens as another. */
type Kind = 'blob' | 'note' | 'inbox' | 'secret';

/**
 * Between the bytes as they are and the bytes as Redis has them. `scope` is what the thing belongs to (a conversation), `name` is its own
 * (a blob's id). `open` gives null for what this key did not seal, or sealed for another scope or name.
 */
export type Seal = {
  readonly close: (scope: string, name: string, bytes: Uint8Array) => Uint8Array;
  readonly open: (scope: string, name: string, sealed: Uint8Array) => Uint8Array | null;
};

/** As `Seal`, for texts. */
export type TextSeal = {
  readonly close: (scope: string, name: string, text: string) => string;
  readonly open: (scope: string, name: string, stored: string) => string | null;
};

/** The seals of an installation. `secrets` is null where it seals nothing: those are never stored in the open. */
export type Seals = { readonly blobs: Seal; readonly notes: TextSeal; readonly inbox: TextSeal; readonly secrets: TextSeal | null };

/** Nothing is sealed. */
export const noSeal: Seal = { close: (_scope, _name, bytes) => bytes, open: (_scope, _name, sealed) => sealed };

const NONCE = 12;
const TAG = 16;
/* First byte of what is sealed, so that the form can change one day. */
const VERSION = 1;

/** `secret`: the operator's, any text of 32 or more characters. Losing it loses what was sealed. */
export const sealWith = (secret: string, kind: Kind = 'blob'): Seal => {
  const keyOf = (scope: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'hektor', `${kind} ${scope}`, 32));
  return {
    close: (scope, name, bytes) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', keyOf(scope), nonce).setAAD(Buffer.from(name));
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    open: (scope, name, sealed) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes[0] !== VERSION || bytes.length < 1 + NONCE + TAG) return null;
      const decipher = createDecipheriv('aes-256-gcm', keyOf(scope), bytes.subarray(1, 1 + NONCE)).setAAD(Buffer.from(name));
      decipher.setAuthTag(bytes.subarray(-TAG));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE, -TAG)), decipher.final()]);
      } catch {
        return null; // another key, another scope or name, or damaged
      }
    },
  };
};

/* What stands before a stored text, so that one kind is never taken for the other. */
const PLAIN = '=';
const SEALED = '!';

const plainText: TextSeal = {
  close: (_scope, _name, text) => PLAIN + text,
  open: (_scope, _name, stored) => (stored.startsWith(PLAIN) ? stored.slice(1) : null),
};

/** What was stored before the installation had a key is still read, so that setting one loses nothing; secrets never were stored so. */
const sealTextWith = (secret: string, kind: Kind): TextSeal => {
  const seal = sealWith(secret, kind);
  return {
    close: (scope, name, text) => SEALED + Buffer.from(seal.close(scope, name, Buffer.from(text))).toString('base64'),
    open: (scope, name, stored) => {
      if (!stored.startsWith(SEALED)) return kind === 'secret' ? null : plainText.open(scope, name, stored);
      const opened = seal.open(scope, name, Buffer.from(stored.slice(1), 'base64'));
      return opened === null ? null : Buffer.from(opened).toString();
    },
  };
};

/** `secret` null: the installation has no key. */
export const sealsOf = (secret: string | null): Seals =>
  secret === null
    ? { blobs: noSeal, notes: plainText, inbox: plainText, secrets: null }
    : {
        blobs: sealWith(secret),
        notes: sealTextWith(secret, 'note'),
        inbox: sealTextWith(secret, 'inbox'),
        secrets: sealTextWith(secret, 'secret'),
      };
