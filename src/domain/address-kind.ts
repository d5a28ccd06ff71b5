import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The kind of network an address belongs to. `private`: this machine and private networks.
 * `refused`: addresses that serve nothing to users (link-local, multicast, reserved); clouds keep
 * secrets at some of them.
 */
export type AddressKind = 'public' | 'private' | 'refused';

const v4 = listOf('ipv4', {
  // RFC 1918, RFC 6598 (carriers), loopback.
  private: ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  // RFC 6890 and its successors.
  refused: [
    ...['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
    ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ],
});
const v6 = listOf('ipv6', {
  private: ['::1/128', 'fc00::/7'],
  // Tunnels and examples within the global unicast range, outside of which nothing is public.
  refused: ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
});
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** The kind of an IP address; anything else is refused. */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address)) {
    if (v4.private.check(address)) return 'private';
    return v4.refused.check(address) ? 'refused' : 'public';
  }
  if (isIP(address) === 0) return 'refused';
  if (v6.private.check(address, 'ipv6')) return 'private';
  const isPublic = globalUnicast.check(address, 'ipv6') && !v6.refused.check(address, 'ipv6');
  return isPublic ? 'public' : 'refused';
}

type Lists = Record<'private' | 'refused', BlockList>;

function listOf(family: 'ipv4' | 'ipv6', networks: Record<keyof Lists, string[]>): Lists {
  const blocked = (subnets: string[]): BlockList => {
    const list = new BlockList();
    for (const subnet of subnets) {
      const [network = '', bits] = subnet.split('/');
      list.addSubnet(network, Number(bits), family);
    }
    return list;
  };
  return { private: blocked(networks.private), refused: blocked(networks.refused) };
}
