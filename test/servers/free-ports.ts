import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give out freely (Linux from 32,768 on, others from 49,152): a port of a
 * server that has not started yet, or is about to come back, must not go to another process.
 */
const FIRST = 20_000;
const COUNT = 12_000;

/** Test files that run side by side begin at different places. */
let next = randomInt(COUNT);

/** A port without a listener, which will not be given to another process by accident. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
}

/** Ports that are free, for servers that must be told theirs before they start. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  const gone = once(probe, 'close');
  probe.close();
  await gone;
  return true;
}
