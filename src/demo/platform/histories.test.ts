import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTime } from '../../app/system-time.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import { SimulatedBroker } from './broker.ts';
import { Histories } from './histories.ts';
import { MemoryStore } from './memory-store.fixture.ts';

const NOW = Date.UTC(2026, 10, 18, 12);
const LOGIN = 200002;

const brokerOf = (userId: string, histories: Histories): Promise<SimulatedBroker> =>
  SimulatedBroker.open({
    ...{ family: 'p5', store: new MemoryStore(), now: () => NOW },
    ...{ userId, histories },
  });

test('untouched accounts share one history, a touched one has its own', async () => {
  const histories = new Histories(systemTime);
  const [mine, yours] = [await brokerOf('me', histories), await brokerOf('you', histories)];
  const shared = await mine.ledger(LOGIN, NOW);
  assert.ok(shared && shared.positions.length > 10);
  assert.equal(await yours.ledger(LOGIN, NOW), shared);
  const before = shared.balanceAt(NOW).balance;
  const cash = { kind: 'cash', login: LOGIN, amount: 5, comment: 'x' } as const;
  await mine.operate(LOGIN, () => ({ ...cash, type: 'DEAL_TYPE_BALANCE' }));
  const own = await mine.ledger(LOGIN, NOW);
  assert.equal(own?.balanceAt(NOW).balance, before + 50_000);
  assert.deepEqual(own?.positions, shared.positions);
  assert.equal((await yours.ledger(LOGIN, NOW))?.balanceAt(NOW).balance, before);
});

test('histories are computed in slices, with users in turns, at most half of the time', async () => {
  let elapsedMs = 0;
  const rests: number[] = [];
  /** Each reading of the clock is two milliseconds later. */
  const time: Timekeeper = {
    now: () => NOW,
    elapsed: () => (elapsedMs += 2),
    after: (ms, call) => {
      rests.push(ms);
      setImmediate(call);
      return () => {};
    },
  };
  const histories = new Histories(time);
  const [mine, yours] = [await brokerOf('me', histories), await brokerOf('you', histories)];
  const done: string[] = [];
  const read = async (broker: SimulatedBroker, login: number): Promise<void> => {
    await broker.ledger(login, NOW);
    done.push(String(login));
  };
  const all = [200001, 200002, 200003].map((login) => read(mine, login));
  await Promise.all([...all, read(yours, 200004)]);
  assert.deepEqual(done, ['200001', '200004', '200002', '200003']);
  assert.ok(rests.length > 4 * 10, `${rests.length} rests`);
  for (const ms of rests) assert.ok(ms >= 4 && ms <= 10, `a rest of ${ms} ms`);
});
