import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HOURS } from '../../bench/load/day-hours.ts';
import { day } from '../../bench/rows/day.ts';
import { needs } from '../needs.ts';

needs('server', 'openssl');

it('handles a small day of a firm, answering all requests well', async (test) => {
  const told: string[] = [];
  const tell = (): void => console.error(told.join('\n'));
  // Where the runner ends it, because it takes too long: how far it came.
  test.signal.addEventListener('abort', tell);
  const results = await day.run({
    ...{
      rounds: 1,
      seconds: 1,
      minutes: 1,
      quick: true,
      full: false,
      share: 0.001,
      databases: ['sqlite'],
    },
    progress: (message) => told.push(message),
  });
  test.signal.removeEventListener('abort', tell);
  const hours = told.filter((line) => /^\| \d\d \|/.test(line));
  assert.equal(hours.length, HOURS.filter(({ what }) => what !== '').length, told.join('\n'));
  assert.equal(results.length, 3);
  for (const { name, value } of results) assert.ok(value > 0 && Number.isFinite(value), name);
});
