import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/servers/free-ports.ts';
import type { Forked } from '../forked.ts';
import { has } from '../machine.ts';
import type { Bench } from '../row.ts';

/** VictoriaMetrics from the system's packages, or undefined with a word about it. */
export async function startVictoriaMetrics(
  stack: AsyncDisposableStack,
  bench: Bench,
): Promise<Forked | undefined> {
  if (!has('victoria-metrics')) {
    bench.progress('  VictoriaMetrics is left out: apt-get install victoria-metrics');
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-victoria-'));
  const port = await freePort();
  const child = spawn(
    'victoria-metrics',
    [
      `-httpListenAddr=127.0.0.1:${port}`,
      `-storageDataPath=${folder}`,
      '-retentionPeriod=12',
      '-search.latencyOffset=0s',
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  stack.defer(stop);
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    const isReady = await fetch(`${address}/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return { port, address, stop };
    if (child.exitCode !== null) throw new Error('victoria-metrics ended');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
