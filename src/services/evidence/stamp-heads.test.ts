import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { makeSigner, SealedHistory } from '../../../test/evidence/sealed-history.ts';
import { lacks, needs } from '../../../test/needs.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { type Authority, startAuthority } from '../../../test/servers/time-stamp-authority.ts';
import { askForStamp } from '../../network/time-stamp-authority.ts';
import { findStamp } from '../../storage/seal-stamp-store.ts';
import { saveTree } from '../../storage/seal-store.ts';
import { type AskForStamp, STAMP_EVERY_MS, stampHeads } from './stamp-heads.ts';

needs('postgres', 'openssl');

describe('stamping heads', { skip: lacks('openssl') }, () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority();
  });
  after(() => authority.close());

  test('ends when it is stopped, however long its authority is silent', async () => {
    await using stack = new AsyncDisposableStack();
    const opened = await openTestDatabase('sqlite');
    stack.defer(() => opened.close());
    const context = await testContext(opened.database, { now: () => Date.UTC(2026, 2, 2) });
    const head = new SealedHistory(makeSigner(), 'user', [9000]).headAt(1);
    await opened.database.transaction((tx) => saveTree(tx, { userId: 'user', size: 1, head }));
    const stop = new AbortController();
    const silent = createServer(() => stop.abort()).listen(0, '127.0.0.1');
    stack.defer(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const ask: AskForStamp = (...of) => askForStamp(`http://127.0.0.1:${port}`, ...of);
    await assert.rejects(stampHeads(context, ask, 0, stop.signal), /aborted/);
  });

  for (const kind of ['sqlite', 'postgres'] as const) {
    test(`once an hour each that grew, on ${kind}`, async () => {
      await using stack = new AsyncDisposableStack();
      const opened = await openTestDatabase(kind);
      stack.defer(() => opened.close());
      const { database } = opened;
      let nowMs = Date.UTC(2026, 2, 2);
      const context = await testContext(database, { now: () => nowMs });
      // More than are read at once.
      const users = Array.from({ length: 102 }, (_, index) => `user-${index}`);
      const signer = makeSigner();
      const histories = users.map((userId) => new SealedHistory(signer, userId, [9000, 8990, 8]));
      const grow = async (size: number, some = histories) => {
        for (const [index, history] of some.entries()) {
          const tree = { userId: users[index] ?? '', size, head: history.headAt(size) };
          await database.transaction((tx) => saveTree(tx, tree));
        }
      };
      const asked: string[] = [];
      const ask = (text: string): Promise<Buffer> => {
        asked.push(text.split('\n', 2).join(' '));
        return askForStamp(authority.url, text);
      };
      const stamp = (ageMs = STAMP_EVERY_MS) => stampHeads(context, ask, ageMs);
      const only = histories.slice(0, 2);
      await grow(1, only);
      assert.equal(await stamp(), 2);
      assert.equal(await stamp(0), 0, 'nothing grew');
      await grow(2, only.slice(0, 1));
      assert.equal(await stamp(), 0, 'an hour is not over');
      assert.equal(await stamp(0), 1, 'on request');
      await grow(3, only);
      nowMs += STAMP_EVERY_MS;
      assert.equal(await stamp(), 2);
      assert.equal(new Set(asked).size, 5);
      assert.equal(asked.length, 5);
      const sizesOf = async (which: 'first' | 'last', least: number, most: number) =>
        (await findStamp(database, 'user-0', { least, most }, which))?.size;
      assert.equal(await sizesOf('first', 1, 3), 1);
      assert.equal(await sizesOf('first', 2, 3), 2);
      assert.equal(await sizesOf('last', 1, 2), 2);
      assert.equal(await sizesOf('last', 4, 9), undefined);
      const first = await findStamp(database, 'user-0', { least: 1, most: 1 }, 'first');
      assert.ok(first);
      // A token over another head is not stored, and one failure does not undo the others.
      await grow(3);
      nowMs += STAMP_EVERY_MS;
      let answers = 0;
      const failing = (text: string): Promise<Buffer> => {
        answers += 1;
        return answers < 3 ? ask(text) : Promise.resolve(first.token);
      };
      await assert.rejects(stampHeads(context, failing, STAMP_EVERY_MS), /something else/);
      const rows = await database.all('select user_id from seal_stamp');
      assert.equal(rows.length, 7);
    });
  }
});
