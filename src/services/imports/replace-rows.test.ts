import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seedOr } from '../../../test/seed.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { Random } from '../../../test/simulation/random.ts';
import { headOf } from '../../../test/statement-head.ts';
import { deal, newAccount, useDatabase } from '../../../test/storage-contract/fixture.ts';
import { compareDeals, type Deal, moneyOf } from '../../domain/deal.ts';
import type { Account } from '../../storage/account-store.ts';
import { listPositionDeals } from '../../storage/deal-store.ts';
import { countUnsettled } from '../../storage/history-store.ts';
import { leaveImport, listImports, listLeft, sweepImport } from '../../storage/import-store.ts';
import { Changes } from '../changes.ts';
import { ImportStorer } from './import-storer.ts';

const BY = { actor: 'user:somebody', tokenId: 'token' };
const HOUR_MS = 3_600_000;
const DEALS_PER_PAGE = 3;
const SEQUENCES = 60;
const SEED = seedOr(20_261_130);

type File = { name: string; deals: Deal[] };
type Position = { id: string; deals: Deal[]; rows: Deal[] };

const opened = useDatabase('sqlite');

describe(`positions that one file has in rows, and another in deals (seed ${SEED})`, () => {
  it('count once while a file has all of them, through kills and in any order', async () => {
    const random = new Random(SEED);
    for (let n = 0; n < SEQUENCES; n += 1) await liveThrough(random, `sequence ${n}`);
  });

  it('stay as rows until all deals that replace them are stored', async () => {
    const world = await newWorld();
    const [position = fail()] = [newPosition(new Random(1), 0)];
    const { rows, deals } = position;
    await importFile(world, { name: 'rows', deals: rows });
    const [opening = fail()] = deals;
    await importFile(world, { name: 'deals', deals }, { dyingAfter: 1 });
    assert.ok(opening.entry === 'DEAL_ENTRY_IN');
    assert.deepEqual(await idsOf(world, position), ['500-in', '500-out']);
  });
});

type TestWorld = { context: Awaited<ReturnType<typeof testContext>>; account: Account };

async function newWorld(): Promise<TestWorld> {
  const context = await testContext(opened.database);
  return { context, account: await newAccount(opened.database) };
}

const fail = (): never => assert.fail('nothing there');

/** Imports files again and again, some half-way, and takes some back; looks after each. */
async function liveThrough(random: Random, what: string): Promise<void> {
  const world = await newWorld();
  const positions = Array.from({ length: random.between(1, 6) }, (_, n) => newPosition(random, n));
  const all = positions.flatMap(({ deals }) => deals);
  const files: File[] = [
    { name: 'rows', deals: positions.flatMap(({ rows }) => rows) },
    { name: 'other rows', deals: positions.flatMap(({ rows }) => rows).slice(2) },
    { name: 'deals', deals: all },
  ].filter(({ deals }) => deals.length > 0);
  const history: string[] = [];
  for (let step = random.between(2, 7); step > 0; step -= 1) {
    const file = random.pick(files);
    const dyingAfter = random.chance(0.3) ? random.between(0, 8) : undefined;
    if (random.chance(0.2)) {
      await takeBack(world, file);
      history.push(`take ${file.name} back`);
    } else {
      await importFile(world, file, { dyingAfter });
      history.push(`import ${file.name}${dyingAfter === undefined ? '' : ` until ${dyingAfter}`}`);
    }
    await look(world, positions, files, `${what}: ${history.join(', ')}`);
  }
}

/** Whoever has all of a position is right about its result and its volume. */
async function look(
  { account }: TestWorld,
  positions: readonly Position[],
  files: readonly File[],
  what: string,
): Promise<void> {
  const imports = await listImports(opened.database, account.number, 100, 0);
  const stored = files.filter(({ name }) => imports.some((one) => one.contentHash === name));
  for (const { id, deals, rows } of positions) {
    const isWhole = stored.some((file) =>
      [deals, rows].some((telling) => telling.every((one) => file.deals.includes(one))),
    );
    if (!isWhole) continue;
    const ids = [id, `${id}.2`, `${id}.3`];
    const found = await listPositionDeals(opened.database, account.number, ids);
    const told = `${what}: position ${id} is ${found.map((one) => one.id).join(', ')}`;
    assert.equal(sum(found, moneyOf), sum(deals, moneyOf), told);
    assert.equal(sum(found, signedVolume), 0, told);
  }
}

const sum = (deals: readonly Deal[], of: (deal: Deal) => number): number =>
  deals.reduce((total, one) => total + of(one), 0);
const signedVolume = ({ entry, volume }: Deal): number =>
  entry === 'DEAL_ENTRY_IN' ? volume : -volume;

async function idsOf({ account }: TestWorld, { id }: Position): Promise<string[]> {
  const found = await listPositionDeals(opened.database, account.number, [id]);
  return found.map((one) => one.id).sort();
}

/** Opened at once and closed in one to three parts; a row has it whole, or each part has one. */
function newPosition(random: Random, n: number): Position {
  const id = `${500 + n}`;
  const openTimeMs = random.between(0, 20) * HOUR_MS;
  const volumes = random.pick([[100], [100], [40, 60], [10, 40, 50]]);
  const about = { symbol: 'EURUSD', price: 1.1 };
  const opened = (positionId: string, dealId: string, volume: number): Deal =>
    deal(dealId, openTimeMs, {
      ...{ ...about, positionId, volume, entry: 'DEAL_ENTRY_IN', type: 'DEAL_TYPE_BUY' },
    });
  const closed = (positionId: string, dealId: string, like: Deal, also: readonly Deal[]): Deal =>
    deal(dealId, Math.max(...[like, ...also].map(({ timeMs }) => timeMs)), {
      ...{ ...about, positionId, entry: 'DEAL_ENTRY_OUT', type: 'DEAL_TYPE_SELL' },
      volume: sum([like, ...also], ({ volume }) => volume),
      profit: sum([like, ...also], ({ profit }) => profit),
    });
  const closings = volumes.map((volume, part) =>
    deal(`${9001 + 10 * n + part}`, openTimeMs + random.between(1, 20) * HOUR_MS + part, {
      ...{ ...about, positionId: id, entry: 'DEAL_ENTRY_OUT', type: 'DEAL_TYPE_SELL', volume },
      profit: random.between(-500, 500),
    }),
  );
  const [first = fail(), ...others] = closings;
  const inParts = closings.flatMap((closing, place) => {
    const part = place === 0 ? id : `${id}.${place + 1}`;
    const opening = opened(part, `${part}-in`, closing.volume);
    return [opening, closed(part, `${part}-out`, closing, [])];
  });
  const whole = [opened(id, `${id}-in`, 100), closed(id, `${id}-out`, first, others)];
  return {
    id,
    deals: [opened(id, `${9000 + 10 * n}`, 100), ...closings],
    rows: random.chance(0.5) ? inParts : whole,
  };
}

/** Ends after so many transactions as if killed, and has the rest swept as after a kill. */
async function importFile(
  { context, account }: TestWorld,
  { name, deals }: File,
  { dyingAfter = Number.POSITIVE_INFINITY }: { dyingAfter?: number | undefined } = {},
): Promise<void> {
  const changes = new DyingChanges(context);
  const options = { force: true, adopt: true };
  const parts = { ...context, changes };
  const storer = await ImportStorer.begin(parts, BY, account, headOf(name, deals), options);
  changes.left = dyingAfter;
  try {
    const sorted = [...deals].sort(compareDeals);
    for (let start = 0; start < sorted.length; start += DEALS_PER_PAGE)
      await storer.store(sorted.slice(start, start + DEALS_PER_PAGE));
    await storer.finish(BY);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    changes.left = Number.POSITIVE_INFINITY;
    await storer.abandon();
    await sweep();
  }
}

class Killed extends Error {}

/** Takes so many transactions of pages and positions. */
class DyingChanges extends Changes {
  left = Number.POSITIVE_INFINITY;

  constructor({ now, journal }: TestWorld['context']) {
    super(opened.database, journal, now);
  }

  override async record<T>(...of: Parameters<typeof Changes.prototype.record<T>>): Promise<T> {
    if (this.left <= 0) throw new Killed();
    this.left -= 1;
    return super.record(...of);
  }
}

async function takeBack({ account }: TestWorld, { name }: File): Promise<void> {
  const imports = await listImports(opened.database, account.number, 100, 0);
  const stored = imports.find(({ contentHash }) => contentHash === name);
  if (!stored) return;
  await opened.database.transaction(async (tx) => {
    await countUnsettled(tx, account.number, 1);
    await leaveImport(tx, stored.number, 'stored');
  });
  await sweep();
}

async function sweep(): Promise<void> {
  for (const left of await listLeft(opened.database, 100))
    while (await sweepImport(opened.database, left));
}
