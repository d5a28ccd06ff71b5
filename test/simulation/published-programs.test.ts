import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { BrokerClock } from '../../src/domain/broker-time.ts';
import type { LiveDeal } from '../../src/domain/live/live-records.ts';
import { fromUnits, toVolume } from '../../src/domain/money.ts';
import { checkPhase } from '../../src/domain/programs/check-program.ts';
import type { Phase, Program } from '../../src/domain/programs/program-definition.ts';
import { closed, EnrolmentDesk, opened } from './enrolment-desk.ts';
import { dealOf, deposit, usd } from './live-desk.ts';
import { SIMULATION_DIGITS } from './wire.ts';

/**
 * The rule books as users read them: each section is a program, with examples that must come true.
 */
const page = readFileSync(new URL('../../docs/programs.md', import.meta.url), 'utf8');
const sections = page.split('## Published rule books')[1]?.split('\n### ').slice(1) ?? [];

const HEADING = /^Phase (\d), (\d+), clock (\S+) \+ (\d+)\./gm;
const MONEY_WORDS = new Set(['amount', 'lockAbove', 'buffer', 'minimum']);

function programOf(section: string): Program {
  const text = /^```json\n(.*?)^```/ms.exec(section)?.[1] ?? '';
  const program: Program = JSON.parse(text, (key, value) => {
    if (key === 'lots') return toVolume(value);
    return MONEY_WORDS.has(key) ? usd(value) : key === 'caps' ? value.map(usd) : value;
  });
  for (const phase of program.phases) assert.deepEqual(checkPhase(phase, 'phase'), []);
  return program;
}

type Example = {
  phase: number;
  initialBalance: number;
  clock: BrokerClock;
  rows: { time: string; balance: number; equity: number; deals: string; state: string }[];
};

function examplesOf(section: string): Example[] {
  const headings = [...section.matchAll(HEADING)];
  return headings.map((heading, index) => {
    const [, phase, size, zone = '', hours] = heading;
    const text = section.slice(heading.index, headings[index + 1]?.index);
    const rows = [...text.matchAll(/^\| (\d{4}-.*) \|$/gm)].map(([, row = '']) => {
      const [time = '', balance, equity, deals = '', state = ''] = row.split(' | ');
      return { time, balance: Number(balance), equity: Number(equity), deals, state };
    });
    const clock = { zone, shiftHours: Number(hours) };
    return { phase: Number(phase) - 1, initialBalance: Number(size), clock, rows };
  });
}

/** `buys 2 ES` or `sells 0.5 EURUSD #1`, of the position 1. */
function tradeIn(words: string, time: string): LiveDeal | undefined {
  const [, word, lots, symbol = '', positionId] =
    /^(buys|sells) (\S+) ([^ #]+)(?: #(\S+))?$/.exec(words) ?? [];
  if (word === undefined) return undefined;
  const trade = { symbol, volume: toVolume(Number(lots)), ...(positionId ? { positionId } : {}) };
  return { ...dealOf(word === 'buys' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL', time, 0), trade };
}

const DEALS: Record<string, (time: string, money: number) => LiveDeal> = {
  opens: (time) => opened(time),
  closes: closed,
  deposit,
  withdrawal: (time, money) => deposit(time, -money),
  swap: (time, money) => dealOf('DEAL_TYPE_INTEREST', time, money),
};

function dealsOf(words: string, time: string): LiveDeal[] {
  if (words === '–') return [];
  return words.split(', ').map((part) => {
    const trade = tradeIn(part, time);
    if (trade) return trade;
    const [word = '', money] = part.split(' ');
    const make = DEALS[word];
    assert.ok(make, part);
    return make(time, Number(money ?? 0));
  });
}

function play({ initialBalance, clock, rows }: Example, phase: Phase): string[] {
  const desk = new EnrolmentDesk(phase, initialBalance, clock);
  return rows.map(({ time, balance, equity, deals }) => {
    desk.see(time, balance, equity, dealsOf(deals, time));
    // Without the time at which it ended: that is the row's.
    const state = desk.state.replace(/ \d{4}-.*/, '');
    const { payout } = desk.progress ?? {};
    if (!payout || state.startsWith('failed')) return state;
    const { amount, hindrances } = payout;
    const isFree = hindrances.length === 0;
    return `${state}, ${isFree ? `${fromUnits(amount, SIMULATION_DIGITS)} to withdraw` : `none: ${hindrances.join(', ')}`}`;
  });
}

test('the page has programs of at least sixteen firms, with examples each', () => {
  const firms = new Set(sections.map((section) => section.slice(0, section.search(/[,\n]/))));
  assert.ok(firms.size >= 16, `${firms.size} firms`);
  for (const section of sections) {
    assert.match(section, /^Source: .*20\d\d/ms);
    assert.ok(examplesOf(section).length > 0, section.slice(0, 40));
  }
});

for (const section of sections) {
  const title = section.slice(0, section.indexOf('\n'));
  test(`the examples come true: ${title}`, () => {
    const { phases } = programOf(section);
    for (const example of examplesOf(section)) {
      const phase = phases[example.phase];
      assert.ok(phase);
      assert.deepEqual(
        play(example, phase),
        example.rows.map(({ state }) => state),
      );
    }
  });
}
