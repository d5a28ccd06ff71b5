import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { peakBytesOf } from '../../bench/process-use.ts';
import { MOST_ANSWER_BYTES } from '../../src/contract/answer-limit.ts';
import { createWorld, type World } from '../matrix/world.ts';
import { needs, often } from '../needs.ts';
import { startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { fillUser } from './fullest-user.ts';
import { WRONG, worstRequests } from './requests.ts';

needs('postgres', 'server');

/** As docs/security.md states it. */
const MOST_BYTES = 1000 * 2 ** 20;
/** Of what one user may have; `npm run bench -- neighbours` fills all of it, and measures times. */
const SHARE = 0.01;
const AT_ONCE = 4;

for (const kind of (['sqlite', 'postgres'] as const).slice(0, often(1, 2))) {
  describe(`each operation at its longest, for a full user, on ${kind}`, () => {
    let running: TestServer;
    let world: World;
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'error' });
      world = await createWorld(running.server.address);
      await fillUser(world, SHARE);
    });
    after(() => running.close());

    it('fails nowhere, answers as its schema allows, and stays within memory', async () => {
      const wrong: string[] = [];
      for (const { operation, send } of worstRequests(world)) {
        const { operationId: id, isSentInParts, longAnswer, streams, file } = operation;
        const mayBeLong = isSentInParts || longAnswer || streams || file;
        const heard = await Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => send(turn)));
        const isTaken = heard.some(({ status }) => !WRONG.includes(status));
        // What deletes may find that another one has deleted it.
        if (!isTaken && operation.method !== 'DELETE')
          wrong.push(`${id}: never taken, ${heard[0]?.status} ${heard[0]?.text}`);
        for (const { status, bytes, text } of heard) {
          if (status >= 500 && status !== 503) wrong.push(`${id}: ${status} ${text}`);
          if (bytes > MOST_ANSWER_BYTES && !mayBeLong) wrong.push(`${id}: ${bytes} bytes`);
        }
      }
      assert.deepEqual(wrong, []);
      const bytes = peakBytesOf(running.server.process.pid ?? 0);
      assert.ok(bytes < MOST_BYTES, `${bytes} bytes were resident`);
    });
  });
}
