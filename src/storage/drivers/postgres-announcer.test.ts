import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PostgresAnnouncer } from './postgres-announcer.ts';

it('sends announcements made at any moment, even as it finds none left', async () => {
  for (let turns = 0; turns < 10; turns += 1) {
    const sent: string[] = [];
    const announcer = new PostgresAnnouncer(async (_, payload) => {
      sent.push(payload);
    });
    announcer.announce('plimsoll_events', 'first');
    for (let turn = 0; turn < turns; turn += 1) await null;
    announcer.announce('plimsoll_events', 'second');
    await announcer.settle();
    assert.deepEqual(sent, ['first', 'second'], `announced ${turns} turns later`);
  }
});
