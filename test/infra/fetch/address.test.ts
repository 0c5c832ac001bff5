import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../src/infra/fetch/address.ts';

describe('U119: addresses', () => {
  it.each(['93.184.216.34', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
    ['link-local', '169.254.0.1', 'fe80::1', 'fe80::1%eth0'],
    ['metadata', '169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ['shared (carrier-grade NAT)', '100.64.0.1', '100.127.255.255'],
    ['multicast and broadcast', '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
    ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
    [
      'reserved, for documents and for measuring',
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.1',
      '198.18.0.1',
      '240.0.0.1',
      '2001:db8::1',
      '100::1',
    ],
    [
      'IPv4 in IPv6',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001:0:1::1',
      '::ffff:0:127.0.0.1',
    ],
    ['not given out', '4000::1', 'fec0::1', '5f00::1'],
    ['no address', '', 'localhost', '1.2.3.4.5'],
  ])('%s is not', (_kind, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});
