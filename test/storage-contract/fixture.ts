import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deal } from '../../src/domain/deal.ts';
import { type Account, insertAccount } from '../../src/storage/account-store.ts';
import type { Database, Transaction } from '../../src/storage/database.ts';
import { openPostgres } from '../../src/storage/drivers/postgres.ts';
import { openSqlite } from '../../src/storage/drivers/sqlite.ts';
import { insertUser } from '../../src/storage/user-store.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';

/** A migrated database for the tests of one describe block. */
export function useDatabase(kind: Database['kind']): {
  readonly database: Database;
  readonly environment: Record<string, string>;
  /** Another connection to the same data, as another process would have it. */
  connect(): Database;
} {
  let opened: TestDatabase;
  before(async () => {
    opened = await openTestDatabase(kind);
  });
  after(() => opened.close());
  return {
    get database() {
      return opened.database;
    },
    get environment() {
      return opened.environment;
    },
    connect: () => connectTo(opened.environment),
  };
}

export const connectTo = ({
  DATABASE_URL,
  PLIMSOLL_DATA = '',
}: Record<string, string>): Database =>
  DATABASE_URL ? openPostgres(DATABASE_URL) : openSqlite(PLIMSOLL_DATA);

/** A user of its own; its id. */
export async function newUser(database: Database): Promise<string> {
  const id = randomUUID();
  await insertUser(database, { id, email: `${id}@example.com`, name: null, createdAtMs: 1 });
  return id;
}

/** An account in the database, of a user of its own unless one is named. */
export async function newAccount(
  database: Database,
  fields: Partial<Account> = {},
): Promise<Account> {
  const account = {
    id: randomUUID(),
    userId: fields.userId ?? (await newUser(database)),
    name: 'Account',
    platform: 'p5' as const,
    login: '1001',
    broker: 'Broker',
    currency: 'USD',
    leverage: 100,
    brokerClock: { zone: 'America/New_York', shiftHours: 7 },
    region: 'main',
    tier: 'g1' as const,
    copy: false,
    dedicatedIpv4: false,
    deployed: true,
    statisticsEnabled: true,
    marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
    profileId: null,
    labels: [],
    silentAfterSeconds: undefined,
    createdAtMs: 1,
    ...fields,
  };
  const number = await database.transaction((tx) => insertAccount(tx, account));
  return { ...account, number };
}

/** A number that no account of the database has: its stored data need no account row. */
export function newNumber(): number {
  numbers += 1;
  return numbers;
}

let numbers = 1_000_000;

/** Resolves when told. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { opened, open };
}

/** How often what holds a transaction asks: PostgreSQL ends one that is idle for three seconds. */
const HOLD_MS = 500;

/** Holds a transaction open until then, however long a busy machine takes until then. */
export async function hold(tx: Transaction, opened: Promise<void>): Promise<void> {
  let isOpened = false;
  const ended = opened.then(() => {
    isOpened = true;
  });
  while (!isOpened) {
    await tx.get('select 1 as one');
    await Promise.race([ended, sleep(HOLD_MS, undefined, { ref: false })]);
  }
}

export const deal = (id: string, timeMs: number, fields: Partial<Deal> = {}): Deal => ({
  id,
  positionId: undefined,
  type: 'DEAL_TYPE_BALANCE',
  entry: undefined,
  symbol: undefined,
  volume: 0,
  volumeClosed: undefined,
  price: undefined,
  positionPrice: undefined,
  positionTimeMs: undefined,
  profit: 0,
  swap: 0,
  commission: 0,
  fee: 0,
  timeMs,
  comment: undefined,
  magic: undefined,
  stopLoss: undefined,
  takeProfit: undefined,
  digits: undefined,
  contractSize: undefined,
  ...fields,
});
