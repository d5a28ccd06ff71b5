import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { bodyLimitOf } from '../../src/contract/body-limit.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { pathOf } from '../matrix/operations.ts';
import { createWorld, type World } from '../matrix/world.ts';
import { type Client, newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import type { Schema } from './values.ts';
import { worstBodies } from './worst-bodies.ts';
import { worstFiles } from './worst-files.ts';

/** A neighbour waits this many times as long as on an idle server, at most, or this long. */
const MAX_RATIO = 100;
const ALWAYS_FINE_MS = 3000;
/** What the process may hold, whatever it is sent. */
const MAX_RESIDENT_BYTES = 900 * 1024 * 1024;
const IDLE_PROBES = 50;

describe('the longest bodies of the worst shapes', () => {
  let running: TestServer;
  let world: World;
  let neighbour: Client;
  let idleMs: number;
  before(async () => {
    running = await startOn('sqlite', {
      LOG_LEVEL: 'error',
      PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
    });
    world = await createWorld(running.server.address);
    neighbour = await newUser(running.server.address);
    const waits = [];
    for (let probe = 0; probe < IDLE_PROBES; probe += 1) waits.push(await probeOnce());
    idleMs = Math.max(...waits);
  });
  after(() => running.close());

  const probeOnce = async (): Promise<number> => {
    const startedMs = performance.now();
    assert.equal((await neighbour.get('/users/current/quotas')).status, 200);
    return performance.now() - startedMs;
  };
  /** The longest wait of the neighbour while something runs. */
  const worstWait = async (work: Promise<unknown>): Promise<number> => {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    let worstMs = 0;
    do worstMs = Math.max(worstMs, await probeOnce());
    while (!isDone);
    await ended;
    return worstMs;
  };
  const residentBytes = async (): Promise<number> => {
    const { body } = await neighbour.get<string>('/metrics');
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(body)?.[1]);
  };

  for (const operation of OPERATIONS.filter(({ body, consumes }) => body || consumes)) {
    const { operationId: id, method, scope } = operation;
    const limit = bodyLimitOf(operation);
    const schema = operation.body && (JSON.parse(JSON.stringify(operation.body)) as Schema);
    const bodies = schema ? worstBodies(schema, limit) : worstFiles();

    it(`hold nobody up: ${id}, ${bodies.length} of up to ${limit} bytes`, async () => {
      const path = pathOf(
        { id, method, path: operation.path.replaceAll(/:(\w+)/g, '{$1}'), isPublic: false },
        world,
      );
      const token = (scope === 'admin' ? world.operator : world.owner).token ?? '';
      const wrong: string[] = [];
      for (const { what, type, make } of bodies) {
        const body = make();
        const headers = { 'auth-token': token, 'content-type': type };
        const answer = fetch(world.address + path, {
          method,
          headers,
          body: Uint8Array.from(body),
        }).then(async (response) => ({ status: response.status, text: await response.text() }));
        const waitMs = await worstWait(answer);
        const { status, text } = await answer;
        if (status < 200 || status >= 500) wrong.push(`${what}: ${status} ${text.slice(0, 200)}`);
        if (text.length > 64 * 1024) wrong.push(`${what}: an answer of ${text.length} characters`);
        if (waitMs > Math.max(ALWAYS_FINE_MS, MAX_RATIO * idleMs)) {
          wrong.push(
            `${what}: the neighbour waited ${waitMs.toFixed(0)} ms, idle ${idleMs.toFixed(0)}`,
          );
        }
      }
      assert.deepEqual(wrong, []);
      const bytes = await residentBytes();
      assert.ok(bytes < MAX_RESIDENT_BYTES, `${bytes} bytes are resident`);
    });
  }
});
