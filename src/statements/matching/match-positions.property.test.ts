import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import {
  type History,
  type HistorySettings,
  hedgingHistory,
  SYMBOLS,
  shuffled,
} from './histories.fixture.ts';
import { type Lists, matchHedging } from './match-hedging.ts';
import { matchPositions } from './match-positions.ts';
import { isExit, type Matching } from './matching.ts';
import { nettingHistory } from './netting-histories.fixture.ts';

/** Money has four digits, accounts print two or none. */
const STEP = { 2: 100, 0: 10_000 } as const;
const { quoted, based, crossing, odd, metal } = SYMBOLS;

const USUAL: Omit<HistorySettings, 'seed'> = {
  ...{ deals: 10_000, moneyDigits: 2, maxOpen: 30, pauseSeconds: 30, withCloseBy: true },
  ...{ lots: [0.05, 0.1, 0.1, 0.2, 0.3, 1], symbols: Object.values(SYMBOLS) },
};
const HISTORIES: Record<string, Partial<HistorySettings>> = {
  'several symbols': {},
  'equal volumes': { symbols: [quoted], lots: [0.1], maxOpen: 200 },
  'many deals a second': { symbols: [metal], lots: [0.1], pauseSeconds: 2, maxOpen: 5 },
  "a symbol of the account's own currency": { symbols: [based], maxOpen: 5, pauseSeconds: 600 },
  'a rate that drifts': { symbols: [crossing], pauseSeconds: 600 },
  'a contract of unknown size': { symbols: [odd], maxOpen: 200, withCloseBy: false },
  'an account without cents': { symbols: [quoted, odd], moneyDigits: 0 },
};

const entriesOf = ({ deals }: History) =>
  new Map(
    deals
      .filter(({ deal }) => deal.entry === 'DEAL_ENTRY_IN')
      .map(({ deal, order }) => [order, deal] as const),
  );

const listsOf = ({ closed, open }: History): Lists => ({ closed, open, isOpenKnown: true });

const flaggedIn = ({ ambiguous, unexplained, unlisted }: Matching): Set<number> =>
  new Set([
    ...ambiguous.times,
    ...ambiguous.prices,
    ...ambiguous.volumes,
    ...unexplained,
    ...unlisted,
  ]);

/**
 * Exits that were given to a position of another open time, price or volume than their own. For
 * exits equal in every column, only the set of their positions counts.
 */
function misplaced(history: History, { positionIds }: Matching): number[][] {
  const entries = entriesOf(history);
  const looks = (id: string | undefined) => {
    const entry = entries.get(id ?? '');
    return entry ? `${entry.timeMs} ${entry.price} ${entry.volume}` : 'none';
  };
  const exits = history.deals.flatMap(({ deal }, index) => (isExit(deal) ? [index] : []));
  const alike = Map.groupBy(exits, (index) => {
    const { symbol, type, timeMs, price, volume, profit } = history.deals[index]?.deal ?? {};
    return [symbol, type, timeMs, price, volume, profit].join(' ');
  });
  return [...alike.values()].filter((indices) => {
    const sorted = (ids: readonly (string | undefined)[]) =>
      indices.map((index) => looks(ids[index])).sort();
    return sorted(positionIds).join() !== sorted(history.truth).join();
  });
}

/** Exits given to a position are of its symbol and side, after it, and never more than it has. */
function assertPossible(history: History, { positionIds }: Matching): void {
  const entries = entriesOf(history);
  const taken = new Map<string, number>();
  for (const [index, { deal }] of history.deals.entries()) {
    const id = positionIds[index] ?? '';
    const entry = entries.get(id);
    if (!isExit(deal) || !entry) continue;
    assert.equal(deal.symbol, entry.symbol);
    assert.notEqual(deal.type, entry.type);
    assert.ok(deal.timeMs >= entry.timeMs);
    taken.set(id, (taken.get(id) ?? 0) + deal.volume);
    assert.ok((taken.get(id) ?? 0) <= entry.volume, `position ${id} is closed beyond its volume`);
  }
}

const match = (history: History, lists: Lists | undefined, digits: 0 | 2) =>
  matchHedging(history.deals, lists ?? { closed: [], open: [], isOpenKnown: false }, STEP[digits]);

for (const [place, [name, more]] of Object.entries(HISTORIES).entries()) {
  const seed = 700 + place;
  const settings = { ...USUAL, ...more, seed } as HistorySettings;
  const history = shuffled(hedgingHistory(settings), seed);
  const digits = settings.moneyDigits;

  test(`with the list of positions all are found: ${name} (seed ${seed})`, () => {
    const matching = match(history, listsOf(history), digits);
    assertPossible(history, matching);
    const wrong = misplaced(history, matching);
    const flagged = flaggedIn(matching);
    if (digits === 2) assert.deepEqual([wrong, flagged.size], [[], 0]);
    else assert.ok(wrong.every((alike) => alike.some((index) => flagged.has(index))));
  });

  test(`without a list none is silently wrong: ${name} (seed ${seed})`, () => {
    const matching = match(history, undefined, digits);
    assertPossible(history, matching);
    const flagged = flaggedIn(matching);
    const silent = misplaced(history, matching).filter(
      (alike) => !alike.some((index) => flagged.has(index)),
    );
    assert.deepEqual(silent, []);
    // Cents distinguish positions; whole units do not.
    if (digits === 2) assert.ok(flagged.size < 0.04 * history.deals.length, `${flagged.size}`);
  });
}

test('every ambiguous exit has another position that explains its profit', () => {
  const symbols = [quoted, metal, odd] as HistorySettings['symbols'];
  const history = shuffled(hedgingHistory({ ...USUAL, symbols, lots: [0.1], seed: 31 }), 31);
  const matching = match(history, undefined, 2);
  const { times, prices, volumes } = matching.ambiguous;
  assert.ok(times.length > 0);
  const entries = [...entriesOf(history)];
  for (const index of new Set([...times, ...prices, ...volumes])) {
    const { deal } = history.deals[index] ?? {};
    assert.ok(deal);
    const worth = symbols.find(({ name }) => name === deal.symbol)?.worth(0, 0) ?? 0;
    const explains = ([id, entry]: (typeof entries)[number]) => {
      if (id === matching.positionIds[index] || entry.symbol !== deal.symbol) return false;
      if (entry.type === deal.type || entry.timeMs > deal.timeMs) return false;
      const direction = entry.type === 'DEAL_TYPE_BUY' ? 1 : -1;
      const move = direction * ((deal.price ?? 0) - (entry.price ?? 0));
      const profit = (move * worth * deal.volume) / 1e8;
      return Math.abs(profit * 1e4 - deal.profit) <= STEP[2] * 1.1 + Math.abs(deal.profit) * 3e-4;
    };
    const isCloseBy = deal.entry === 'DEAL_ENTRY_OUT_BY';
    assert.ok(isCloseBy || entries.some(explains), `deal ${deal.id} fits one position only`);
  }
});

test('the order of rows changes nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.boolean(), (seed, isListed) => {
      const history = hedgingHistory({ ...USUAL, deals: 200, seed });
      const idsOf = (one: History) => {
        const { positionIds } = match(one, isListed ? listsOf(one) : undefined, 2);
        return new Map(one.deals.map(({ deal }, index) => [deal.id, positionIds[index]]));
      };
      assert.deepEqual([...idsOf(shuffled(history, seed))].sort(), [...idsOf(history)].sort());
    }),
    { numRuns: 25 },
  );
});

test('small histories of any seed have no silently wrong position', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e9 }),
      fc.constantFrom(...Object.values(HISTORIES)),
      (seed, more) => {
        const settings = { ...USUAL, ...more, seed, deals: 300 } as HistorySettings;
        const history = shuffled(hedgingHistory(settings), seed);
        for (const lists of [undefined, listsOf(history)]) {
          const matching = match(history, lists, settings.moneyDigits);
          assertPossible(history, matching);
          const flagged = flaggedIn(matching);
          const wrong = misplaced(history, matching);
          assert.ok(wrong.every((alike) => alike.some((index) => flagged.has(index))));
        }
      },
    ),
    { numRuns: 40 },
  );
});

for (const withReversals of [true, false])
  test(`netting positions come back ${withReversals ? 'with' : 'without'} reversals (seed 41)`, () => {
    const symbols = Object.values(SYMBOLS);
    const history = shuffled(nettingHistory(41, 10_000, symbols, withReversals), 41);
    for (const mode of ['netting', undefined] as const) {
      const matching = matchPositions(history.deals, mode);
      assert.deepEqual(matching.positionIds, history.truth);
      const closed = new Map(
        [...matching.closedVolumes].map(([index, volume]) => [
          history.deals[index]?.deal.id,
          volume,
        ]),
      );
      assert.deepEqual([...closed].sort(), [...history.closedVolumes].sort());
      assert.equal(flaggedIn(matching).size, 0);
    }
  });

test('a hedging account is recognised by its profits if nothing else shows it', () => {
  for (const seed of [51, 52, 53]) {
    const history = hedgingHistory({ ...USUAL, seed, deals: 2_000, withCloseBy: false });
    assert.deepEqual(
      matchPositions(history.deals, undefined).positionIds,
      matchPositions(history.deals, 'hedging').positionIds,
    );
  }
});
