import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

needs('time');

/** So many worlds the simulator may need for a bug. */
const RUNS = 1000;

describe('bugs found by the simulator', () => {
  for (const bug of PLANTED_BUGS) {
    it(`${bug.name}: ${bug.what}`, async (t) => {
      const { code, output } = await simulateWith(bug);
      assert.equal(code, 1, output);
      const [found] = /^Seed .*$/m.exec(output) ?? [];
      assert.ok(found, output);
      t.diagnostic(found);
    });
  }
});

function simulateWith({
  name,
  seed,
  given = {},
  of,
}: PlantedBug): Promise<{ code: unknown; output: string }> {
  const file = (of: string): string => join(import.meta.dirname, of);
  const args = ['--import', file('plant.ts'), file('main.ts'), '--seed', `${seed}`];
  args.push('--given', JSON.stringify(given));
  const env = { ...process.env, PLANTED_BUG: name };
  return new Promise((resolve) => {
    const worlds = of ? [`--${of}`] : ['--journal', 'sql'];
    const runs = ['--runs', `${RUNS}`, ...worlds];
    execFile(process.execPath, [...args, ...runs], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });
}
