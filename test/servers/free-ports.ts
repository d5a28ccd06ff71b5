import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports that are free, for servers that must be told theirs before they start. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  return probes.map((probe) => {
    const address = probe.address();
    probe.close();
    return typeof address === 'object' && address ? address.port : 0;
  });
}
