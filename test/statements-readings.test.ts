import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatement } from '../src/statements/read-statement.ts';
import type { Question } from '../src/statements/readings.ts';
import type { Statement } from '../src/statements/statement.ts';

/** A table with its headings first. */
const read = (lines: string[]) =>
  readStatement(Buffer.from(`${lines.join('\n')}\n`), { moneyDigits: 2 });
const readingOf = ({ readings }: Statement, question: Question) => {
  const found = readings.find((reading) => reading.question === question);
  return found && [found.answer, found.verdict];
};
const saysOf = ({ warnings }: Statement): string => warnings.map(({ message }) => message).join();
const netOf = ({ deals }: Statement): number =>
  deals.reduce(
    (sum, { profit, swap, commission, fee }) => sum + profit + swap + commission + fee,
    0,
  );

const HEAD = 'ticket,symbol,type,volume,open time,close time,open price,close price';
const row = (ticket: number, rest: string, side = 'buy', prices = '1.08500,1.08600') =>
  `${ticket},EURUSD,${side},1,2024-03-0${ticket} 09:00:00,2024-03-0${ticket} 11:00:00,${prices},${rest}`;

test('two trades prove that profits include their costs: only one way gives a contract', async () => {
  const inside = await read([`${HEAD},commission,profit`, row(1, '-7,93'), row(2, '-14,86')]);
  assert.deepEqual(readingOf(inside, 'costs'), ['inside', 'proved']);
  assert.equal(netOf(inside), 17_900);
  const beside = await read([`${HEAD},commission,profit`, row(1, '-7,100'), row(2, '-14,100')]);
  assert.deepEqual(readingOf(beside, 'costs'), ['beside', 'proved']);
  assert.equal(netOf(beside), 17_900);
});

test('without a proof the costs are charged on top, with both sums in a warning', async () => {
  const open = await read([`${HEAD},commission,profit`, row(1, '-7,81.3'), row(2, '-7,77.7')]);
  assert.deepEqual(readingOf(open, 'costs'), ['beside', 'assumed']);
  assert.match(saysOf(open), /The net profit is 145; read the other way it would be 159/);
});

test('a column of balances proves where costs are and their sign', async () => {
  const rows = [row(1, '7,81.3,1081.3'), row(2, '5,77.7,1159'), row(3, '6,-20,1139')];
  const inside = await read([`${HEAD},commission,profit,balance`, ...rows]);
  assert.deepEqual(readingOf(inside, 'costs'), ['inside', 'proved']);
  assert.deepEqual([inside.stated.balance, inside.carriedInBalance], [113_900, 100_000]);
  const turned = [row(1, '7,81.3,1074.3'), row(2, '5,77.7,1147'), row(3, '6,-20,1121')];
  const signs = await read([`${HEAD},commission,profit,balance`, ...turned]);
  assert.deepEqual(readingOf(signs, 'cost signs'), ['turned', 'proved']);
  assert.equal(saysOf(signs).includes('positive'), false);
});

test('a column of balances that does not follow from its rows is named and not used', async () => {
  const rows = [row(1, '81.3,1000'), row(2, '77.7,1000'), row(3, '-20,1000')];
  const statement = await read([`${HEAD},profit,balance`, ...rows]);
  assert.deepEqual(readingOf(statement, 'deposit'), ['unknown', 'contradicted']);
  assert.match(saysOf(statement), /2 of 2 steps differ/);
  assert.equal(statement.stated.balance, undefined);
});

test('costs of both signs follow the most common convention, with a warning', async () => {
  const rows = [row(1, '7,-1,100'), row(2, '5,3,100'), row(3, '6,2,50')];
  const statement = await read([`${HEAD},commission,fee,gross profit`, ...rows]);
  assert.deepEqual(readingOf(statement, 'cost signs'), ['turned', 'assumed']);
  assert.equal(netOf(statement), 22_800);
  assert.match(saysOf(statement), /both signs as commission and fee/);
});

test('sides contradicted by all prices are those of the closing deals', async () => {
  const rows = [row(1, '100', 'sell'), row(2, '100', 'sell'), row(3, '100', 'sell')];
  const closing = await read([`${HEAD},profit`, ...rows]);
  assert.deepEqual(readingOf(closing, 'sides'), ['of the closing', 'assumed']);
  assert.equal(closing.deals[0]?.type, 'DEAL_TYPE_BUY');
  const doubtful = await read([`${HEAD},profit`, ...rows, row(4, '100')]);
  assert.deepEqual(readingOf(doubtful, 'sides'), ['of the opening', 'contradicted']);
});

test('a comma before three digits is the decimal mark where another mark separates cells', async () => {
  const statement = await read([
    'ticket;symbol;type;volume;open time;close time;open price;close price;profit',
    '1;USDJPY;buy;1;2024-03-04 09:00;2024-03-04 11:00;150,125;150,325;133,022',
    '2;USDJPY;sell;1;2024-03-05 09:00;2024-03-05 11:00;150,425;150,525;-66,434',
  ]);
  assert.deepEqual(readingOf(statement, 'decimal mark'), ['comma', 'assumed']);
  assert.equal(netOf(statement), 6_659);
});

test('the order of rows proves whether the day or the month comes first', async () => {
  const dated = (ticket: number, day: string) =>
    `${ticket},EURUSD,buy,1,${day} 09:00,${day} 11:00,1.08500,1.08600,100`;
  const days = ['03/04/2024', '04/04/2024', '05/04/2024', '01/05/2024'];
  const sorted = await read([`${HEAD},profit`, ...days.map((day, at) => dated(at + 1, day))]);
  assert.deepEqual(readingOf(sorted, 'date order'), ['day-first', 'proved']);
  const alone = await read([`${HEAD},profit`, dated(1, '03/04/2024')]);
  assert.deepEqual(readingOf(alone, 'date order'), ['month-first', 'assumed']);
});

test('digits of a price are known only if a zero at its end shows them', async () => {
  const printed = await read([`${HEAD},profit`, row(1, '100')]);
  assert.equal(printed.deals[0]?.digits, 5);
  const bare = await read([`${HEAD},profit`, row(1, '100', 'buy', '1.085,1.086')]);
  assert.equal(bare.deals[0]?.digits, undefined);
});
