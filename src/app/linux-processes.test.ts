import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { linuxProcesses } from './linux-processes.ts';

const MODULE = new URL('./linux-processes.ts', import.meta.url);
const TELL_MARK = `import { linuxProcesses } from '${MODULE}';
  process.stdout.write(linuxProcesses().own ?? '');
  setInterval(() => {}, 1000);`;

/** A process that runs, and its mark. */
async function startAnother(t: TestContext): Promise<{ child: ChildProcess; mark: string }> {
  const options = ['--input-type=module', '-e', TELL_MARK];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [mark] = await once(child.stdout, 'data');
  return { child, mark: String(mark) };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('processes on one machine, as seen by another', {
  skip: process.platform !== 'linux',
}, () => {
  const local = linuxProcesses();
  const isEnded = (mark: string) => local.hasEnded(mark);

  it('a killed process is seen as ended, not a running or paused one', async (t) => {
    const { child, mark } = await startAnother(t);
    assert.notEqual(mark, local.own);
    assert.equal(isEnded(mark), false, 'it runs');
    child.kill('SIGSTOP');
    assert.equal(isEnded(mark), false, 'it is paused');
    await end(child);
    assert.equal(isEnded(mark), true);
    assert.equal(isEnded(local.own ?? ''), false);
  });

  it('a reused process number does not mislead', async (t) => {
    const { mark } = await startAnother(t);
    const earlier = mark.replace(/\d+$/, (start) => String(Number(start) - 1));
    assert.equal(isEnded(earlier), true);
  });

  it('processes of other boots or containers, and invalid marks, are unknown', async (t) => {
    const { child, mark } = await startAnother(t);
    await end(child);
    assert.equal(isEnded(mark.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))), false);
    assert.equal(isEnded(mark.replace(/pid:\[\d/, (from) => `${from}9`)), false);
    assert.equal(isEnded(mark.replace(/ \d+ \d+$/, ' 0 1')), false);
    for (const other of ['', 'host-1', mark.replace(/ \d+ \d+$/, '')]) {
      assert.equal(isEnded(other), false);
    }
  });
});
