import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the benchmarks that serves on a port of its own. */
export type Forked = { port: number; address: string; stop(): Promise<void> };

/** Starts `file` with settings as JSON; it sends its port. */
export async function forkServer(
  file: string,
  settings: object,
): Promise<Forked & { process: ChildProcess }> {
  const { sent: port, ...forked } = await forkReady<number>(file, settings);
  return { port, address: `http://127.0.0.1:${port}`, ...forked };
}

/**
 * Starts `file` with settings as JSON, in a process that ends with the stack, and waits until it is
 * ready.
 */
export async function forkBeside(
  stack: AsyncDisposableStack,
  file: string,
  settings: object,
): Promise<void> {
  const { stop } = await forkReady(file, settings);
  stack.defer(stop);
}

/** Starts `file`, beside this one, and waits for its first message. */
async function forkReady<T>(file: string, settings: object) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [JSON.stringify(settings)]);
  const exited = once(child, 'exit');
  const [sent] = (await Promise.race([
    once(child, 'message'),
    failsAtEnd(child, `${file} ended before it was ready`),
  ])) as [T];
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { sent, process: child, stop };
}

/** Runs `file` with settings as JSON in a process of its own, to its end; what it sent. */
export async function forkTask<T>(
  file: string,
  settings: object,
  execArgv: readonly string[] = [],
): Promise<T> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [JSON.stringify(settings)], { execArgv: [...execArgv] });
  const exited = once(child, 'exit');
  const [answer] = await Promise.race([
    once(child, 'message'),
    failsAtEnd(child, `${file} ended without an answer`),
  ]);
  await exited;
  return answer as T;
}

/**
 * Rejects when a process ends, for races with what it has yet to send: a channel is closed once all
 * is read, while a process may be seen to exit before. Nobody needs to wait for it.
 */
export function failsAtEnd(child: ChildProcess, message: string): Promise<never> {
  const failure = once(child, 'disconnect').then(async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    throw new Error(`${message}, with ${child.signalCode ?? child.exitCode}`);
  });
  failure.catch(() => {});
  return failure;
}
