import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give out freely (Linux from 32,768 on, others from 49,152): a port of a
 * server that has not started yet, or is about to come back, must not go to another process.
 */
const FIRST = 20_000;
const BLOCKS = 120;
const PORTS_OF_A_BLOCK = 100;

/** The ports that this process may give out: test files that run side by side share none. */
let block: Promise<number> | undefined;
let given = 0;

/** A port without a listener, which will not be given to another process by accident. */
export async function freePort(): Promise<number> {
  block ??= takeBlock();
  const first = await block;
  for (let tried = 1; tried < PORTS_OF_A_BLOCK; tried++) {
    // The first port holds the block.
    const port = first + 1 + (given++ % (PORTS_OF_A_BLOCK - 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${first} on is free`);
}

/** Ports that are free, for servers that must be told theirs before they start. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/** Listens at a block's first port for as long as this process lives. */
async function takeBlock(): Promise<number> {
  const begin = randomInt(BLOCKS);
  for (let tried = 0; tried < BLOCKS; tried++) {
    const first = FIRST + ((begin + tried) % BLOCKS) * PORTS_OF_A_BLOCK;
    const holder = createServer().unref();
    if (await listens(holder, first)) return first;
  }
  throw new Error(`no block of ports from ${FIRST} on is free`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  if (!(await listens(probe, port))) return false;
  const gone = once(probe, 'close');
  probe.close();
  await gone;
  return true;
}

async function listens(server: ReturnType<typeof createServer>, port: number): Promise<boolean> {
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  return listening;
}
