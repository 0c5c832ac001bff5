/** What a plugin may ask of the web, and what it gets. The doing is behind the port `fetcher`. */

/** The usual cap on a body, in bytes after decompression. */
export const PAGE_BYTES = 2 * 1024 * 1024;

/** One GET. */
export type FetchRequest = {
  /** Absolute, http or https, without user name and password. */
  readonly url: string;
  /** Media types that are taken, each with its cap in bytes after decompression. The key `text/*` stands for all of a kind. */
  readonly accept: { readonly [type: string]: number };
  /** Sent to the plugin's own `services` only, and to no place that they redirect to. */
  readonly headers?: { readonly [name: string]: string };
};

/** An answer, whatever its status. The body of an error answer of another type than the accepted ones is empty. */
export type Fetched = {
  /** The address that answered in the end, after redirects. */
  readonly url: string;
  readonly status: number;
  /** The media type in small letters, without parameters. */
  readonly type: string;
  /** The charset of the content type, where it names one. */
  readonly charset: string | null;
  /** Names in small letters; cookies are left out. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
};
