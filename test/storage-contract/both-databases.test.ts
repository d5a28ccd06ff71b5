import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EnrolmentTransition } from '../../src/domain/programs/enrolment-transition.ts';
import { passingId, ruleTrackerId } from '../../src/domain/programs/phase-trackers.ts';
import { removeAccount } from '../../src/storage/account-store.ts';
import type { Database, Row } from '../../src/storage/database.ts';
import { numberEvents } from '../../src/storage/event-number-store.ts';
import { type FoundEvent, storeEvents, storeTogether } from '../../src/storage/event-store.ts';
import { appendJournal, settleJournal, stageJournal } from '../../src/storage/journal-store.ts';
import { insertTracker } from '../../src/storage/tracker-store.ts';
import { insertUser } from '../../src/storage/user-store.ts';
import { needs } from '../needs.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { newAccount } from './fixture.ts';
import { eventOf, ownPartition, revisionOf } from './live-fixture.ts';

needs('postgres');

/** PostgreSQL does in functions what SQLite does in TypeScript: both must leave the same rows. */
const TABLES = {
  tracker_event: 'position, partition_id, ordinal, kind',
  breach_action: 'id',
  event_head: 'id',
  journal_entry: 'id',
  journal_head: 'id',
};
const NOW = 1_750_000_000_000;
const ACTIONS = [
  { action: 'closePositions' },
  { action: 'moveToGroup', group: 'out', dryRun: true },
  { action: 'closePositions', moment: 'warning' },
  { action: 'enableTrading', moment: 'revision' },
  { action: 'disableTrading', moment: 'reset' },
] as const;
const PASSING = [{ action: 'disableTrading', moment: 'passing' }] as const;

type Outcome = { answers: unknown[]; rows: Record<string, Row[]> };

test('both databases leave the same events, numbers, actions and journal, row by row', async () => {
  const [sqlite, postgres] = [await runOn('sqlite'), await runOn('postgres')];
  assert.deepEqual(postgres, sqlite);
  const { tracker_event: events = [], breach_action: actions = [] } = sqlite.rows;
  assert.deepEqual([events.length, actions.length], [11, 18]);
  const watched = events.filter((event) => event.watched === 1).map(({ kind }) => kind);
  assert.deepEqual(watched, ['drawdown', 'drawdown', 'profit', ...Array(3).fill('drawdown')]);
  const revision = events.find(({ kind }) => kind === 'revision');
  const revised = events.find(({ sequence_number: number }) => number === revision?.revises);
  assert.deepEqual([revised?.start_time_ms, revised?.acknowledged_at_ms], [4, null]);
  assert.deepEqual(
    actions
      .filter(({ moment }) => moment !== 'breach' && moment !== 'reset')
      .map((one) => [one.moment, one.start_time_ms]),
    [
      ['warning', 3],
      ['revision', 4],
      ['passing', 3],
    ],
  );
  const ends = actions.filter(({ moment }) => moment === 'reset').map((one) => one.period_end_ms);
  assert.deepEqual(ends.filter(Boolean), [86_400_000]);
  assert.ok(actions.every((action) => action.created_at_ms === NOW));
});

async function runOn(kind: Database['kind']): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const opened = await openTestDatabase(kind);
  stack.defer(() => opened.close());
  const { database } = opened;
  const answers = [...(await keepJournal(database)), ...(await keepEvents(database))];
  const rows: Record<string, Row[]> = {};
  for (const [table, order] of Object.entries(TABLES)) {
    const found = await database.all<Row>(`select * from ${table} order by ${order}`);
    rows[table] = found.map(plain);
  }
  return { answers, rows };
}

async function keepJournal(database: Database): Promise<unknown[]> {
  const bytes = (n: number): Uint8Array => Uint8Array.of(n, 0, 255);
  const first = await appendJournal(database, 5, bytes(1));
  await database.transaction((tx) => stageJournal(tx, 6, bytes(2)));
  const settled = await settleJournal(database);
  const last = await appendJournal(database, 4, bytes(3));
  return [first, settled, last, await settleJournal(database)];
}

async function keepEvents(database: Database): Promise<unknown[]> {
  await insertUser(database, { id: 'user', email: 'a@b.c', name: null, createdAtMs: 1 });
  const account = async (id: string): Promise<number> => {
    const { number } = await newAccount(database, { id, userId: 'user' });
    for (const tracker of ['tracker', ruleTrackerId('enrolment', 1), passingId('enrolment')])
      await database.transaction((tx) =>
        insertTracker(
          tx,
          number,
          {
            ...{ id: tracker, name: tracker, period: 'day', absoluteDrawdownThreshold: 1 },
            actions: tracker === passingId('enrolment') ? PASSING : ACTIONS,
          },
          0,
        ),
      );
    return number;
  };
  const [mine, gone] = [await account('mine'), await account('gone')];
  await database.transaction((tx) => removeAccount(tx, gone, 1));
  const former = await ownPartition(database, 'former');
  const owner = await ownPartition(database, 'owner');
  const lost = { ...former, events: [eventOf(mine, { startTimeMs: 99 })] };
  const found = { ...owner, events: eventsOf(mine, gone) };
  const { lastNumber, left } = await storeTogether(database, [lost, found], NOW);
  const again = await storeEvents(database, owner.partition, owner.epoch, found.events, NOW + 1);
  const later = [eventOf(mine, { startTimeMs: 7, position: 9 })];
  const more = await storeEvents(database, owner.partition, owner.epoch, later, NOW);
  return [lastNumber, left.map((each) => each === lost), again, more, await numberEvents(database)];
}

/** One of each kind, one twice, one of an account that is gone, not in the order of the journal. */
function eventsOf(mine: number, gone: number): FoundEvent[] {
  const of = (event: FoundEvent['event'], position: number): FoundEvent => ({
    ...eventOf(mine, { position, ordinal: 3 }),
    event,
  });
  return [
    { ...eventOf(mine, { startTimeMs: 2, position: 4 }), periodEndMs: 86_400_000 },
    eventOf(mine, { startTimeMs: 1, position: 3, ordinal: 1 }),
    eventOf(mine, { startTimeMs: 1, position: 3, ordinal: 1 }),
    eventOf(mine, { startTimeMs: 1, position: 3, exceededThresholdType: 'profit', ordinal: 2 }),
    eventOf(mine, { startTimeMs: 3, position: 2, warnAt: 0.8 }),
    { ...eventOf(mine, { startTimeMs: 4, position: 2, ordinal: 5 }), isOver: true },
    eventOf(gone, { position: 1 }),
    revisionOf(mine, { startTimeMs: 4, position: 6 }),
    eventOf(mine, { startTimeMs: 4, round: 1, position: 8 }),
    of({ accountId: 'mine', feed: 'silence', sinceUtcMs: 4, timeMs: 5 }, 7),
    of({ ...ENDED, enrolmentId: 'enrolment', count: 2 }, 5),
    of({ ...ENDED, count: 3, to: 'passed', ruleIndex: undefined, rule: undefined }, 10),
  ];
}

/** Time ended it: the actions of its second rule start. */
const ENDED: EnrolmentTransition = {
  ...{ accountId: 'mine', enrolmentId: 'enrolment', count: 1, to: 'failed' },
  ...{ timeMs: 5, utcMs: 5, ruleIndex: 1, rule: 'timeLimit' },
  figures: {} as EnrolmentTransition['figures'],
};

/** Bytes as text: each driver has a class of its own for them. */
const plain = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    ]),
  );
