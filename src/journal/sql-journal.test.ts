import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { needs } from '../../test/needs.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { TestTime } from '../../test/servers/test-time.ts';
import { gate, hold } from '../../test/storage-contract/fixture.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { CommitBuilder } from './commit-builder.ts';
import { SqlJournal } from './sql-journal.ts';

needs('postgres');

it('asks to retry if another process assigns positions for seconds', async (t) => {
  const { database, close } = await openTestDatabase('postgres');
  t.after(close);
  const time = new TestTime();
  const journal = await SqlJournal.open(database, time, 'process');
  const holding = gate();
  const done = gate();
  const giving = database.transaction(async (tx) => {
    await tx.lock('plimsoll:journal');
    holding.open();
    await hold(tx, done.opened);
  });
  await holding.opened;
  try {
    // The lock is not needed while nothing waits for a position.
    assert.equal(await journal.head(), 0);
    await journal.append(new CommitBuilder(16).build(1));
    let isAnswered = false;
    let failure: unknown;
    const asking = journal
      .head()
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => {
        isAnswered = true;
      });
    // Time stands still during questions to the database.
    while (!isAnswered) await (time.timers > 0 ? time.pass(20) : sleep(1));
    await asking;
    assert.ok(failure instanceof DatabaseUnavailable, String(failure));
    // Its own patience, and time that passes while a slow machine asks the database.
    assert.ok(time.elapsed() >= 3000, `${time.elapsed()} ms`);
  } finally {
    done.open();
    await giving;
  }
  assert.equal(await journal.head(), 1);
});
