import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { freePort } from '../servers/free-ports.ts';
import {
  Client,
  newUser,
  type PlimsollProcess,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { Random } from '../simulation/random.ts';
import { RiskLoad } from './risk-load.ts';

needs('postgres', 'server');

const SEED = seedOr(20_250_302);
const FEED = { startUtcMs: Date.UTC(2025, 2, 1), days: 8, pace: 120, accounts: 20 };
const HEADERS = (token: string) => ({ 'auth-token': token });
const STREAM = '/users/current/tracker-events';

type Event = { sequenceNumber: number };

/** When a read is cut at the latest: later while none brings anything. */
const CUT_MS = { first: 700, last: 5_000 };

/** Reads on after each cut until `isDone`; a read may end at any moment by itself. */
async function readOn(
  random: Random,
  seen: readonly number[],
  isDone: () => boolean,
  read: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  let withinMs = CUT_MS.first;
  while (!isDone()) {
    const before = seen.length;
    const leave = new AbortController();
    const timer = setTimeout(() => leave.abort(), random.between(20, withinMs));
    await read(leave.signal).catch((error: unknown) => {
      if (error instanceof assert.AssertionError) throw error;
    });
    clearTimeout(timer);
    // On a busy machine no answer may come within the first limit, however often it is asked.
    withinMs = seen.length > before ? CUT_MS.first : Math.min(CUT_MS.last, withinMs * 2);
    await new Promise((resolve) => setTimeout(resolve, random.between(1, 30)));
  }
}

async function poll(client: Client, seen: number[], signal: AbortSignal): Promise<void> {
  for (;;) {
    const query = `?wait=5&limit=7&previousSequenceNumber=${seen.at(-1) ?? 0}`;
    const url = `${client.address}${STREAM}/stream${query}`;
    const answer = await fetch(url, { signal, headers: HEADERS(client.token ?? '') });
    assert.ok([200, 503].includes(answer.status), `${answer.status}`);
    if (answer.status === 503) return;
    const events = (await answer.json()) as Event[];
    seen.push(...events.map(({ sequenceNumber }) => sequenceNumber));
  }
}

async function follow(client: Client, seen: number[], signal: AbortSignal): Promise<void> {
  const headers = { ...HEADERS(client.token ?? ''), 'last-event-id': String(seen.at(-1) ?? 0) };
  const answer = await fetch(`${client.address}${STREAM}/live`, { signal, headers });
  assert.ok([200, 503].includes(answer.status), `${answer.status}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const id = /^id: (\d+)\ndata: /.exec(block)?.[1];
      if (id) seen.push(Number(id));
    }
  }
}

for (const kind of ['sqlite', 'postgres'] as const) {
  it(`gives each reader on ${kind} every event once, in order (seed ${SEED})`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const stored = await openTestDatabase(kind);
    stack.defer(() => stored.close());
    const environment = {
      ...stored.environment,
      PORT: String(await freePort()),
      LOG_LEVEL: 'fatal',
    };
    let server: PlimsollProcess = await startPlimsoll(environment);
    stack.defer(() => server.kill());
    const { address } = server;
    const client = await newUser(address);
    const load = new RiskLoad({
      ...FEED,
      seed: SEED,
      address: () => address,
      token: client.token ?? '',
    });
    await load.setUp();
    let total = Number.POSITIVE_INFINITY;
    const readers = [poll, poll, follow].map((read, index) => {
      const seen: number[] = [];
      const isDone = () => (seen.at(-1) ?? 0) >= total;
      const own = new Client(address, client.token);
      const random = new Random(SEED + index);
      const ended = readOn(random, seen, isDone, (signal) => read(own, seen, signal));
      return { seen, ended };
    });
    const random = new Random(SEED);
    let kills = 0;
    let dying: Promise<void> = Promise.resolve();
    await load.run((share) => {
      if (share * 5 < kills + random.next()) return;
      kills += 1;
      dying = dying.then(async () => {
        await server.kill();
        server = await startPlimsoll(environment);
      });
    });
    await dying;
    const { events } = await load.settled();
    total = events;
    await Promise.all(readers.map(({ ended }) => ended));
    assert.ok(events > 10 && kills >= 4, `${events} events, ${kills} kills`);
    const all = Array.from({ length: events }, (_, index) => index + 1);
    for (const { seen } of readers) assert.deepEqual(seen, all);
    t.diagnostic(`${events} events, ${kills} kills`);
  });
}
