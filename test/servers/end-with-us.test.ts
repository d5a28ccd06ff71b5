import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { until } from './until.ts';

const STARTER = `
import { spawn } from 'node:child_process';
import { endWithUs } from '${new URL('./end-with-us.ts', import.meta.url)}';
process.on('SIGUSR2', () => { throw new Error('a failure'); });
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
endWithUs(child);
console.log(child.pid);
setInterval(() => {}, 1000);
`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) {
  it(`leaves no process behind when a test is ended by ${signal}`, async () => {
    const options = ['--input-type=module-typescript', '-e', STARTER];
    const starter = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(starter, 'exit');
    const [pid] = await once(createInterface(starter.stdout), 'line');
    assert.ok(isAlive(Number(pid)));
    starter.kill(signal);
    const [code, by] = await ended;
    assert.deepEqual([code, by], signal === 'SIGUSR2' ? [1, null] : [null, signal]);
    await until(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return !isAlive(Number(pid));
    });
  });
}
