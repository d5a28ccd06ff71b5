import { test } from 'node:test';
import { Registry } from 'prom-client';
import { until } from '../../test/servers/until.ts';
import { measureLoopDelay } from './loop-delay.ts';

test('shows that the event loop was blocked, and for how long at least', async (t) => {
  const registry = new Registry();
  t.after(measureLoopDelay(registry));
  const heldBeyond = async (le: string): Promise<number> => {
    const text = await registry.metrics();
    const count = (label: string): number =>
      Number(new RegExp(`_bucket\\{le="${RegExp.escape(label)}"\\} (\\d+)`).exec(text)?.[1]);
    return count('+Inf') - count(le);
  };
  const before = await heldBeyond('0.25');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  await until(async () => (await heldBeyond('0.25')) > before);
});
