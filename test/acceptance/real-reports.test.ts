import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { EXPLAINED_DIFFERENCES } from '../fixtures/statements/explained-differences.ts';
import { needs } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('server', 'time');

/** Files from outside, which are next to the project if available. */
const DATA = join(import.meta.dirname, '../../../shared/data');
const COLLECTIONS = ['public', 'extra'].filter((name) => existsSync(join(DATA, name)));
const files = COLLECTIONS.flatMap((collection) =>
  readdirSync(join(DATA, collection), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(DATA, collection, name)).map((file) => join(collection, name, file)),
    ),
).sort();

type Oracle = { file: string; metrics: Record<string, number | string> };
const oracles = new Map(
  ['oracles.json', 'extra/oracles.json']
    .map((name) => join(DATA, name))
    .filter((file) => existsSync(file))
    .flatMap((file): Oracle[] => JSON.parse(readFileSync(file, 'utf8')))
    .map(({ file, metrics }) => [file, metrics]),
);

/** Files that are no list of trades: prices, symbols, and lists of orders, rates and the like. */
const NO_REPORT =
  /\/(?:prices|symbols)\/|__(?:account|orders|positions|rates|symbols|order_history)/;
/** Lists of deals state no figures; these are counted in the files themselves. */
const DEALS: Record<string, number> = {
  'public/deals/cookieboom__deals.json': 140,
  'public/deals/daviddwlee84__FTMO_export-1706151888.csv': 2 * 27,
  'extra/deals/MuriloSilva110__relatorio_semanal.csv': 2,
  'extra/deals/algorembrant__extracted_deals.csv': 723,
};

type Import = {
  kind: string;
  deals: number;
  added: number;
  trades: number;
  netProfit: number;
  balance: number;
  carriedIn?: number;
  reconciliation: {
    figures: { name: string; stated: number; computed?: number }[];
    differences: string[];
  };
};
type Refusal = { error: string; details: { expected?: string; where?: string }[] };
type Metrics = {
  balance: number;
  credit: number;
  trades: number;
  dailyGrowth: { balance: number }[];
  balanceDrawdown: { maximal: number; maximalPercent: number };
};
type Open = { realisedProfit: number; swap: number; commission: number; fee: number };

const cents = (value: number): number => Math.round(value * 100);
const PAGE = 1000;

describe('files of strangers, over HTTP', {
  skip: files.length === 0 && 'they are not here',
}, () => {
  let running: TestServer;
  let user: Client;
  const counts = { read: 0, refused: 0, figures: 0, compared: 0, explained: 0 };
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address);
  });
  after(() => running.close());

  for (const file of files) {
    const isReport = !NO_REPORT.test(file);
    it(`${file} is ${isReport ? 'read right' : 'refused with a reason'}`, async () => {
      const platform = file.includes('mt4') ? 'p4' : 'p5';
      const account = `/users/current/accounts/${await newAccount(user, { platform })}`;
      const upload = () =>
        user.post<Import & Refusal>(`${account}/statements`, readFileSync(join(DATA, file)));
      const { status, body } = await upload();
      if (!isReport) {
        assert.equal(status, 400, JSON.stringify(body));
        assert.equal(body.error, 'ValidationError');
        assert.ok(body.details[0]?.expected && body.details[0].where, JSON.stringify(body));
        counts.refused += 1;
        return;
      }
      assert.equal(status, 201, JSON.stringify(body));
      assertFigures(file, body);
      if (DEALS[file] !== undefined) assert.equal(body.deals, DEALS[file]);
      await assertHistory(file, account, body);
      assert.equal((await upload()).body.added, 0, 'the same file again adds nothing');
      counts.read += 1;
    });
  }

  /** All figures of the report were understood, and follow from its deals unless explained. */
  function assertFigures(file: string, { reconciliation, carriedIn }: Import): void {
    const { figures, differences } = reconciliation;
    const stated = new Map(figures.map((figure) => [figure.name, figure.stated]));
    for (const [name, value] of Object.entries(oracles.get(file) ?? {}))
      if (typeof value === 'number') assert.equal(stated.get(name), value, name);
    const explained = [
      ...(EXPLAINED_DIFFERENCES[file] ?? []),
      ...(carriedIn ? ['balance', 'equity'] : []),
    ];
    assert.deepEqual(
      differences.filter((name) => !explained.includes(name)),
      [],
    );
    counts.figures += figures.length;
    counts.compared += figures.filter(({ computed }) => computed !== undefined).length;
    counts.explained += differences.length;
  }

  /** Trades, open positions, statistics and days have the same money. */
  async function assertHistory(file: string, account: string, imported: Import): Promise<void> {
    const metrics = await user.asOfNow<Metrics>(`${account}/metrics`);
    const open = await user.asOfNow<Open[]>(`${account}/open-trades`);
    let [sum, place] = [0, 0];
    for (;;) {
      const range = `2000-01-01%2000:00:00/2099-01-01%2000:00:00?limit=${PAGE}&offset=${place}`;
      const page = await user.asOfNow<{ trades: { profit: number }[] }>(
        `${account}/historical-trades/${range}`,
      );
      for (const { profit } of page.trades) sum += profit;
      place += page.trades.length;
      if (page.trades.length < PAGE) break;
    }
    for (const { realisedProfit, swap, commission, fee } of open)
      sum += realisedProfit + swap + commission + fee;
    assert.equal(cents(sum), cents(metrics.balance + metrics.credit), 'trades and open positions');
    assert.equal(metrics.trades, imported.trades);
    if (imported.deals === 0) return;
    assert.equal(cents(metrics.dailyGrowth.at(-1)?.balance ?? 0), cents(metrics.balance));
    if (imported.kind !== 'p4-tester') {
      const { balance_drawdown_maximal, maximal_drawdown, ...stated } = oracles.get(file) ?? {};
      const drawdown = balance_drawdown_maximal ?? maximal_drawdown;
      const { maximal, maximalPercent } = metrics.balanceDrawdown;
      if (typeof drawdown === 'number') assert.equal(cents(maximal), cents(drawdown));
      const percent = stated.balance_drawdown_maximal_pct ?? stated.maximal_drawdown_pct;
      if (
        typeof percent === 'number' &&
        !EXPLAINED_DIFFERENCES[file]?.includes('maximal_drawdown_pct')
      )
        assert.equal(cents(maximalPercent), cents(percent));
      assert.equal(cents(metrics.balance), cents(imported.balance), 'the balance of the report');
    }
  }

  it('none is left out', (test) => {
    test.diagnostic(JSON.stringify(counts));
    assert.equal(counts.read + counts.refused, files.length);
  });
});
