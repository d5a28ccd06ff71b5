import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  const gone = once(probe, 'close');
  probe.close();
  await gone;
  return typeof address === 'object' && address ? address.port : 0;
}
