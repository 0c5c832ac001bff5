import { describe, expect, it } from 'vitest';
import { SESSION_COOKIE, makeSession, refuseForeign, refuseStranger } from '../../../adapters/web/http/guard.ts';
import type { Caller } from '../../../adapters/web/http/guard.ts';

const caller = (fields: Partial<Caller> = {}): Caller => ({
  method: 'POST',
  host: 'localhost:3000',
  origin: undefined,
  fetchSite: undefined,
  authorization: undefined,
  cookie: undefined,
  remoteAddress: '127.0.0.1',
  ...fields,
});
const open = { token: null, hosts: [] };
const token = 'a token that is long enough';
const closed = { token, hosts: [] };

describe('who may call the web API', () => {
  it('without a token: this machine, by a name of its own', () => {
    for (const host of ['localhost:3000', '127.0.0.1', '127.9.9.9:80', '[::1]:3000', 'hektor.localhost:3000', 'LocalHost']) {
      expect(refuseForeign(caller({ host }), open), host).toBeNull();
    }
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '', '10.0.0.1:3000', '127.evil.example']) {
      expect(refuseForeign(caller({ host, method: 'GET' }), open)?.why, host).toBe('foreign');
    }
    for (const remoteAddress of ['10.0.0.7', '::ffff:172.17.0.1', 'fe80::1', '']) {
      expect(refuseForeign(caller({ remoteAddress }), open)?.why, remoteAddress).toBe('foreign');
    }
    expect(refuseForeign(caller({ remoteAddress: '::ffff:127.0.0.1' }), open)).toBeNull();
    expect(refuseForeign(caller({ host: 'chat.example:443' }), { token: null, hosts: ['chat.example'] })).toBeNull();
  });

  it('never for a page of another site that wants to change something', () => {
    for (const config of [open, closed]) {
      for (const origin of ['https://evil.example', 'null', 'http://localhost:4000', 'http://localhost', 'not an origin']) {
        expect(refuseForeign(caller({ origin }), config)?.why, origin).toBe('foreign');
      }
      expect(refuseForeign(caller({ fetchSite: 'cross-site' }), config)?.why).toBe('foreign');
      expect(refuseForeign(caller({ fetchSite: 'same-site' }), config)?.why).toBe('foreign');
      expect(refuseForeign(caller({ origin: 'http://localhost:3000', fetchSite: 'same-origin' }), config)).toBeNull();
      expect(refuseForeign(caller({ method: 'GET', fetchSite: 'cross-site' }), config)).toBeNull();
    }
    expect(refuseForeign(caller({ origin: 'https://chat.example' }), { token, hosts: ['chat.example', 'localhost'] })).toBeNull();
  });

  it('with a token: whoever shows it, or the cookie that was made with it, until that ends', () => {
    expect(refuseStranger(caller(), open, 0)).toBeNull();
    expect(refuseStranger(caller(), closed, 0)?.why).toBe('login');
    expect(refuseStranger(caller({ authorization: `Bearer ${token.replaceAll(' ', '')}` }), closed, 0)?.why).toBe('login');
    const bare = { token: 'abcdefghijklmnop', hosts: [] };
    expect(refuseStranger(caller({ authorization: 'bearer abcdefghijklmnop' }), bare, 0)).toBeNull();
    expect(refuseStranger(caller({ authorization: 'Bearer abcdefghijklmno' }), bare, 0)?.why).toBe('login');
    const cookie = `a=b; ${SESSION_COOKIE}=${makeSession(token, 1_000)}; c=d`;
    expect(cookie).not.toContain(token);
    expect(refuseStranger(caller({ cookie }), closed, 999)).toBeNull();
    expect(refuseStranger(caller({ cookie }), closed, 1_000)?.why).toBe('login');
    expect(refuseStranger(caller({ cookie: cookie.replace('=1000.', '=9999.') }), closed, 999)?.why).toBe('login');
    expect(refuseStranger(caller({ cookie }), { token: 'another token of some length', hosts: [] }, 999)?.why).toBe('login');
  });
});
