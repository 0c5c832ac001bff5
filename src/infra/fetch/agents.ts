/** Connections: one kind that leads to public addresses only, and one for what the operator has allowed. */
import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './address.ts';

/** A connection that was not made, because the address is not public. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
}

const CONNECT_MS = 10_000;
const options = { connections: 8, keepAliveTimeout: 4_000, headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;

/** Connects anywhere. */
export const openAgent = (): Agent => new Agent({ ...options, connect: { timeout: CONNECT_MS, lookup: systemLookup } });

/**
 * Connects to public addresses only. A name is resolved here, once for each connection, and the addresses that passed are the ones that are
 * connected to: there is no second look-up in which the name could have changed.
 */
export const guardedAgent = (lookup: LookupFunction): Agent => {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guarded(lookup) });
  return new Agent({
    ...options,
    connect: (to, done) => {
      const host = to.hostname.replace(/^\[|\]$/g, '');
      // Literal addresses are connected to without a look-up.
      if (isIP(host) !== 0 && !isPublicAddress(host)) done(new RefusedAddress(host), null);
      else connect(to, done);
    },
  });
};

const guarded =
  (lookup: LookupFunction): LookupFunction =>
  (host, how, done) => {
    lookup(host, { ...how, all: true }, (error, found) => {
      if (error !== null) return done(error, '');
      const addresses = (typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found).filter(({ address }) =>
        isPublicAddress(address),
      );
      const [first] = addresses;
      if (first === undefined) return done(new RefusedAddress(host), '');
      if (how.all === true) return done(null, addresses);
      return done(null, first.address, first.family);
    });
  };
