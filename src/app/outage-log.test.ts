import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTime } from '../../test/servers/test-time.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { OutageLog } from './outage-log.ts';

const [INFO, WARN, ERROR] = [30, 40, 50];

function logOf() {
  const time = new TestTime();
  const lines: [object, string][] = [];
  const log = new OutageLog(time, (fields, message) => lines.push([fields, message]));
  const say = (level: number, fields: Record<string, unknown>, message: string): void => {
    const written = log.take(level, fields, message);
    if (written) lines.push([written, message]);
  };
  return { time, log, lines, say };
}

test('logs an outage when it begins and when it ends, with the count', async () => {
  const { time, log, lines, say } = logOf();
  const err = new DatabaseUnavailable('connect ECONNREFUSED');
  say(WARN, { err }, 'events cannot be numbered yet');
  for (let second = 0; second < 30; second += 1) {
    say(WARN, { err, errorId: second, status: 503 }, 'The database does not answer');
    say(ERROR, { err: new DatabaseUnavailable('timeout') }, 'a mail cannot be sent yet');
    await time.pass(1000);
    log.look();
  }
  assert.deepEqual(lines, [
    [{ outage: 'database', reason: 'connect ECONNREFUSED' }, 'events cannot be numbered yet'],
  ]);
  await time.pass(20_000);
  log.look();
  log.look();
  assert.deepEqual(lines.slice(1), [
    [{ outage: 'database', seconds: 29, times: 61 }, 'over: events cannot be numbered yet'],
  ]);
});

test('unknown failures keep their stack, and repetitions are counted', async () => {
  const { time, log, lines, say } = logOf();
  const err = new RangeError('out of range');
  for (let minute = 0; minute < 3; minute += 1) {
    say(ERROR, { err, webhook: 'a' }, 'cannot be sealed');
    await time.pass(60_000);
    log.look();
  }
  say(ERROR, { err, webhook: 'b' }, 'cannot be sealed');
  await time.pass(150_000);
  log.look();
  assert.deepEqual(lines, [
    [{ err, webhook: 'a' }, 'cannot be sealed'],
    [{ err, webhook: 'b' }, 'cannot be sealed'],
    [{ webhook: 'a', seconds: 120, times: 3 }, 'over: cannot be sealed'],
  ]);
});

test('failed requests are logged one by one, and so are lines other than warnings', () => {
  const { lines, say } = logOf();
  const err = new Error('broken');
  for (const errorId of [1, 2]) say(ERROR, { err, errorId }, 'Internal error');
  for (const turn of [1, 2]) say(INFO, { err, turn }, 'Refused');
  for (const turn of [1, 2]) say(WARN, { turn }, 'Said');
  assert.equal(lines.length, 6);
});
