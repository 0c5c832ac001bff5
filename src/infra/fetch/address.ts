/** Which network addresses are public. Pure. */
import ipaddr from 'ipaddr.js';

/** Public by the registries, and yet inside: Azure's host answers every virtual machine there. */
const INSIDE = new Set(['168.63.129.16']);
/** All of IPv6 that is given out for the public internet. What lies outside embeds other addresses, or is not given out. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether this IP address (in any notation that the system would take) is one of the public internet. Private, loopback, link-local,
 * shared (carrier-grade NAT), multicast and reserved ranges are not, and neither are forms that carry an IPv4 address inside an IPv6 one
 * (mapped, NAT64, 6to4, Teredo): where they lead is decided by the network they are used in.
 */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text) || INSIDE.has(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
};
