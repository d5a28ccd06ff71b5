import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Networks that are not of the public internet: RFC 6890 and its successors. */
const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4');
}
/** Of IPv6 only the global unicast range is public, without its tunnels and examples. */
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6');
NOT_PUBLIC.addSubnet('2001::', 23, 'ipv6');
NOT_PUBLIC.addSubnet('2001:db8::', 32, 'ipv6');
NOT_PUBLIC.addSubnet('2002::', 16, 'ipv6');
NOT_PUBLIC.addSubnet('3fff::', 20, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) {
    return GLOBAL_UNICAST.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
  }
  return isIP(address) === 4 && !NOT_PUBLIC.check(address, 'ipv4');
}

/**
 * The address to connect to. Throws when the name, in any of its addresses, leads out of the public
 * internet and that is not allowed. The caller must connect to just this address: asked again, a
 * name may answer differently.
 */
export async function resolveTarget(
  hostname: string,
  allowPrivate: boolean,
): Promise<{ address: string; family: number }> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await lookup(host, { all: true });
  const [first] = found;
  if (!first) throw new Error('the name has no address');
  if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address))) {
    throw new Error('the address is not public, and PLIMSOLL_WEBHOOK_PRIVATE is not set to allow');
  }
  return first;
}
