import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopMsOf } from '../../bench/process-use.ts';
import { bodyLimitOf } from '../../src/contract/body-limit.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { pathOf } from '../matrix/operations.ts';
import { createWorld, type World } from '../matrix/world.ts';
import { needs, often } from '../needs.ts';
import { type Client, newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import type { Schema } from './values.ts';
import { worstBodies } from './worst-bodies.ts';
import { worstFiles } from './worst-files.ts';

needs('server');

/**
 * The server loop's longest work, in processor time of its thread, before it serves a waiting
 * neighbour. A busy machine makes the neighbour wait longer, but this no larger.
 */
const MAX_TURN_MS = 300;
/** Between two looks of the neighbour: asking without a pause takes the processor from the rest. */
const PROBE_PAUSE_MS = 5;
/** Bound on the process's memory, with any input. */
const MAX_RESIDENT_BYTES = 900 * 1024 * 1024;

describe('the longest bodies of the worst shapes', () => {
  let running: TestServer;
  let world: World;
  let neighbour: Client;
  before(async () => {
    running = await startOn('sqlite', {
      LOG_LEVEL: 'error',
      PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
    });
    world = await createWorld(running.server.address);
    neighbour = await newUser(running.server.address);
  });
  after(() => running.close());

  const loopMs = (): number => loopMsOf(running.server.process.pid ?? 0);
  const probeOnce = async (): Promise<number> => {
    const beforeMs = loopMs();
    assert.equal((await neighbour.get('/users/current/quotas')).status, 200);
    return loopMs() - beforeMs;
  };
  /** The most that the loop works while the neighbour waits, for as long as something runs. */
  const worstTurn = async (work: Promise<unknown>): Promise<number> => {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    let worstMs = 0;
    do {
      worstMs = Math.max(worstMs, await probeOnce());
      await sleep(PROBE_PAUSE_MS);
    } while (!isDone);
    await ended;
    return worstMs;
  };
  const residentBytes = async (): Promise<number> => {
    const { body } = await neighbour.get<string>('/metrics');
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(body)?.[1]);
  };

  const withBody = OPERATIONS.filter(({ body, consumes }) => body || consumes);
  for (const operation of withBody.filter((_, place) => place % often(3, 1) === 0)) {
    const { operationId: id, method, scope } = operation;
    const limit = bodyLimitOf(operation);
    const schema = operation.body && (JSON.parse(JSON.stringify(operation.body)) as Schema);
    const bodies = schema ? worstBodies(schema, limit) : worstFiles();

    it(`block no one: ${id}, ${bodies.length} of up to ${limit} bytes`, async () => {
      const path = pathOf(
        { id, method, path: operation.path.replaceAll(/:(\w+)/g, '{$1}'), isPublic: false },
        world,
      );
      const token = (scope === 'admin' ? world.operator : world.owner).token ?? '';
      const wrong: string[] = [];
      for (const { what, type, make } of bodies) {
        const headers = { 'auth-token': token, 'content-type': type };
        const answer = fetch(world.address + path, {
          method,
          headers,
          body: new Uint8Array(make()),
        }).then(async (response) => ({ status: response.status, text: await response.text() }));
        const turnMs = await worstTurn(answer);
        const { status, text } = await answer;
        if (status < 200 || status >= 500) wrong.push(`${what}: ${status} ${text.slice(0, 200)}`);
        if (text.length > 64 * 1024) wrong.push(`${what}: an answer of ${text.length} characters`);
        if (turnMs > MAX_TURN_MS)
          wrong.push(`${what}: a neighbour waited for ${turnMs} ms of work`);
      }
      assert.deepEqual(wrong, []);
      const bytes = await residentBytes();
      assert.ok(bytes < MAX_RESIDENT_BYTES, `${bytes} bytes are resident`);
    });
  }
});
