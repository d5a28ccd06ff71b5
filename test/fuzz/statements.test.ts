import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { needs, often } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { Random } from '../simulation/random.ts';
import { faultOf, fullDocument, readTargets, type Target } from './operations.ts';
import { mutatedStatement, type StatementKind } from './statement-mutations.ts';

needs('postgres', 'server');

const FILES = Number(process.env.FUZZ_STATEMENTS ?? often(5, 15));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** A later answer counts as a hang. */
const HANG_MS = 60_000;
const MAX_FAULTS_SHOWN = 10;
const MAX_LOG_SHOWN = 4000;

const demo = (name: string): Uint8Array =>
  readFileSync(new URL(`../../src/demo/statements/${name}`, import.meta.url));
const DEALS = Array.from({ length: 40 }, (_, n) => ({
  id: `${n + 1}`,
  positionId: `${(n >> 1) + 1}`,
  type: n % 2 === 0 ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
  entry: n % 2 === 0 ? 'DEAL_ENTRY_IN' : 'DEAL_ENTRY_OUT',
  symbol: 'EURUSD',
  volume: 0.1,
  price: 1.1,
  profit: n % 2 === 0 ? 0 : 5.5,
  commission: -0.35,
  brokerTime: `2026-03-02 10:${String(n).padStart(2, '0')}:00.000`,
  comment: 'word',
}));
const COLUMNS = Object.keys(DEALS[0] ?? {});
const SEEDS: [StatementKind, Uint8Array][] = [
  ['html', demo('p4-statement.htm')],
  ['html', demo('p5-netting-jpy.html')],
  ['xlsx', demo('p5-hedging-eurusd-gbpusd.xlsx')],
  ['json', Buffer.from(JSON.stringify(DEALS, undefined, 1))],
  [
    'csv',
    Buffer.from(
      [COLUMNS, ...DEALS.map((deal) => Object.values(deal))].map((row) => row.join(',')).join('\n'),
    ),
  ],
];

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`damaged statements on ${kind}`, () => {
    let running: TestServer;
    let user: Client;
    let target: Target;
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'error' });
      const { address } = running.server;
      const found = readTargets(fullDocument()).find(({ id }) => id === 'importStatement');
      assert.ok(found);
      target = found;
      user = await newUser(address);
    });
    after(() => running.close());

    /** Imports into a fresh account, and reads what the import made of it. */
    const send = async (file: Uint8Array): Promise<string | undefined> => {
      const path = `/users/current/accounts/${await newAccount(user)}`;
      const response = await fetch(`${running.server.address}${path}/statements`, {
        method: 'POST',
        headers: { 'auth-token': user.token ?? '', 'content-type': 'application/octet-stream' },
        body: Buffer.from(file),
        signal: AbortSignal.timeout(HANG_MS),
      });
      const text = await response.text();
      const { status } = response;
      const fault = [201, 400].includes(status)
        ? faultOf(target, status, text)
        : 'is neither 201 nor 400';
      if (fault !== undefined) return `${status} ${fault}: ${text.slice(0, 300)}`;
      if (status === 400) return undefined;
      for (const rest of [
        'metrics',
        'open-trades',
        'historical-trades/0000-01-01 00:00:00/9999-12-31 23:59:59',
      ]) {
        const answer = await user.get(`${path}/${rest}`);
        if (answer.status >= 400) return `${rest}: ${answer.status} ${JSON.stringify(answer.body)}`;
      }
      return undefined;
    };

    it('are imported with NUL in their texts', async () => {
      const columns = 'id,type,symbol,volume,price,profit,brokerTime,comment';
      const row = 'a\0b,DEAL_TYPE_BUY,EUR\0USD,0.1,1.1,0,2026-03-02 10:00:00,wo\0rd';
      assert.equal(await send(Buffer.from(`${columns}\n${row}\n`)), undefined);
    });

    it(`are imported or refused, and leave an account that answers (seed ${SEED})`, async () => {
      const random = new Random(SEED);
      const faults: string[] = [];
      for (let sent = 0; sent < FILES && faults.length < MAX_FAULTS_SHOWN; sent += 1) {
        const [format, seed] = SEEDS[sent % SEEDS.length] ?? [];
        assert.ok(format && seed);
        const file = mutatedStatement(format, seed, random);
        const fault = await send(file).catch((error: Error) => `${error.message} ${error.cause}`);
        if (fault !== undefined) faults.push(`${format} file ${sent}: ${fault}`);
      }
      if (faults.length > 0) console.error(running.server.log().slice(0, MAX_LOG_SHOWN));
      assert.deepEqual(faults, []);
    });
  });
}
