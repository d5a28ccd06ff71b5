import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { HOUR_MS } from '../broker-time.ts';
import { type CapitalDeal, CapitalFlow, type Reading } from './capital-flow.ts';

const HOURS = 6;
const time = fc.integer({ min: 0, max: HOURS * HOUR_MS - 1 });

/** Amounts vary so much, and exceed trades so far, that no other choice of deals fits a balance. */
const capital = fc.array(
  fc.record({
    timeMs: time,
    money: fc.oneof(
      fc.integer({ min: 1_000_000, max: 9_999_999 }),
      fc.integer({ min: -9_999_999, max: -1_000_000 }),
    ),
    type: fc.constantFrom('DEAL_TYPE_BALANCE' as const, 'DEAL_TYPE_CREDIT' as const),
  }),
  { maxLength: 6 },
);
const trades = fc.array(fc.record({ timeMs: time, money: fc.integer({ min: -99, max: 99 }) }), {
  maxLength: 12,
});
const snapshots = fc.array(
  fc.record({ timeMs: time, open: fc.integer({ min: -10_000, max: 10_000 }) }),
  { minLength: 1, maxLength: 20 },
);

const byTime = <T extends { timeMs: number }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => a.timeMs - b.timeMs);

it('each deposit, withdrawal and credit is in the first reading whose snapshot came after it', () => {
  fc.assert(
    fc.property(capital, trades, snapshots, (someCapital, someTrades, someSnapshots) => {
      const deals = byTime(someCapital);
      const booked = byTime(someTrades);
      // The first and the last snapshot of each hour, as hours keep them.
      const taken = byTime(someSnapshots).filter(({ timeMs }, index, all) => {
        const hourAt = (place: number) => Math.floor((all[place]?.timeMs ?? -1) / HOUR_MS);
        const own = Math.floor(timeMs / HOUR_MS);
        return hourAt(index - 1) !== own || hourAt(index + 1) !== own;
      });
      const flow = new CapitalFlow(deals);
      let shown: number | undefined;
      for (const { timeMs, open } of taken) {
        const reading = readingAt(timeMs, open, deals, booked);
        const before = deals.filter((deal) => deal.timeMs <= timeMs);
        const money = before.reduce((sum, deal) => sum + deal.money, 0);
        const expected = shown === undefined ? 0 : money - shown;
        assert.equal(flow.next(reading, neededOf(flow, reading, booked)).money, expected);
        shown = money;
      }
    }),
  );
});

function readingAt(
  timeMs: number,
  open: number,
  deals: readonly CapitalDeal[],
  booked: readonly { timeMs: number; money: number }[],
): Reading {
  const sum = (some: readonly { timeMs: number; money: number }[]) =>
    some.filter((deal) => deal.timeMs <= timeMs).reduce((all, { money }) => all + money, 0);
  const balance = sum(booked) + sum(deals.filter(({ type }) => type === 'DEAL_TYPE_BALANCE'));
  const credit = sum(deals.filter(({ type }) => type === 'DEAL_TYPE_CREDIT'));
  const fromMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
  return { fromMs, toMs: fromMs + HOUR_MS, balance, equity: balance + credit + open };
}

function neededOf(
  flow: CapitalFlow,
  reading: Reading,
  booked: readonly { timeMs: number; money: number }[],
) {
  const range = flow.needs(reading);
  if (!range) return [];
  return booked.filter(({ timeMs }) => timeMs >= range.fromMs && timeMs < range.toMs);
}
