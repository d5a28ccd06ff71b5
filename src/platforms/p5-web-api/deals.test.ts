import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_TYPES } from '../../domain/deal.ts';
import { DEAL_TYPES } from '../../words/deals.ts';
import { toDeal, toPendingOrder, toPosition } from './deals.ts';

/** A deal in the server's form: every scalar is text. */
const row = (fields: Record<string, string>): Record<string, string> => ({
  Deal: '7',
  Action: '0',
  Entry: '0',
  Time: '1700000000',
  TimeMsc: '1700000000123',
  Symbol: 'EURUSD',
  Price: '1.10000',
  Volume: '1000',
  VolumeExt: '10000000',
  Profit: '0.00',
  Storage: '0.00',
  Commission: '0.00',
  PositionID: '5',
  Digits: '5',
  ContractSize: '100000.00',
  Comment: '',
  ...fields,
});

test('amounts become exact units of the account currency', () => {
  const deal = toDeal(
    row({ Profit: '-1234.56', Storage: '-0.07', Commission: '-0.0035', Fee: '0.1' }),
    4,
  );
  assert.deepEqual(
    [deal.profit, deal.swap, deal.commission, deal.fee],
    [-12_345_600, -700, -35, 1000],
  );
  assert.equal(toDeal(row({ Profit: '0.00000001' }), 8).profit, 1);
});

test('volumes are those of 1e-8 lot, or plain ones where a server sends no others', () => {
  assert.equal(toDeal(row({}), 4).volume, 10_000_000);
  assert.equal(toDeal(row({ VolumeExt: '0', Volume: '1' }), 4).volume, 10_000);
  assert.equal(toDeal(row({ VolumeExt: '1' }), 4).volume, 1);
});

test('the expert, the stop and the target are kept; 0 is by hand, and no price', () => {
  const planOf = (fields: Record<string, string>) => {
    const { magic, stopLoss, takeProfit } = toDeal(row(fields), 4);
    return [magic, stopLoss, takeProfit];
  };
  const told = { ExpertID: '30001', PriceSL: '1.09000', PriceTP: '1.12000' };
  assert.deepEqual(planOf(told), [30001, 1.09, 1.12]);
  const none = { ExpertID: '0', PriceSL: '0.00000', PriceTP: '0.00000' };
  assert.deepEqual(planOf(none), [0, undefined, undefined]);
  assert.deepEqual(planOf({}), [undefined, undefined, undefined]);
  // 64 bits: more than a double holds exactly.
  assert.deepEqual(planOf({ ExpertID: '18446744073709551615' }), [undefined, undefined, undefined]);
});

test('times keep the milliseconds where there are any', () => {
  assert.equal(toDeal(row({}), 4).timeMs, 1_700_000_000_123);
  assert.equal(toDeal(row({ TimeMsc: '' }), 4).timeMs, 1_700_000_000_000);
});

test('only a reversal states how much it closed, only closing deals what they closed', () => {
  const closed = { VolumeClosedExt: '4000000', PricePosition: '1.20000' };
  const shapes = ['0', '1', '2', '3'].map((Entry) => {
    const { entry, volumeClosed, positionPrice } = toDeal(row({ Entry, ...closed }), 4);
    return [entry, volumeClosed, positionPrice];
  });
  assert.deepEqual(shapes, [
    ['DEAL_ENTRY_IN', undefined, undefined],
    ['DEAL_ENTRY_OUT', undefined, 1.2],
    ['DEAL_ENTRY_INOUT', 4_000_000, 1.2],
    ['DEAL_ENTRY_OUT_BY', undefined, 1.2],
  ]);
});

test('every action number has its deal type; money operations have no position or price', () => {
  for (const [number, type] of DEAL_TYPES.slice(0, -UNKNOWN_TYPES.length).entries()) {
    const deal = toDeal(row({ Action: String(number), Comment: 'why' }), 4);
    assert.equal(deal.type, type);
    assert.equal(deal.comment, 'why');
    const isTrade = number < 2;
    assert.equal(deal.positionId, isTrade ? '5' : undefined);
    assert.equal(deal.symbol, isTrade ? 'EURUSD' : undefined);
    assert.equal(deal.price, isTrade ? 1.1 : undefined);
    assert.equal(deal.volume, isTrade ? 10_000_000 : 0);
  }
});

test('a deal of unknown kind is kept, with its number in the comment', () => {
  const told = toDeal(row({ Action: '21', Profit: '-5.00', Comment: 'so' }), 2);
  assert.deepEqual(
    [told.type, told.profit, told.comment],
    ['DEAL_TYPE_OTHER', -500, 'type 21: so'],
  );
  assert.equal(toDeal(row({ Action: '99' }), 2).comment, 'type 99');
});

test('an execution of unknown direction has none', () => {
  const { type, entry, volume } = toDeal(row({ Entry: '9' }), 4);
  assert.deepEqual([type, entry, volume], ['DEAL_TYPE_BUY', undefined, 10_000_000]);
});

test('pending orders of unknown type are not left out', () => {
  const order = { Order: '3', Symbol: 'EURUSD', VolumeCurrentExt: '1000000', PriceOrder: '1' };
  assert.equal(toPendingOrder({ ...order, Type: '9' })?.type, 'ORDER_TYPE_9');
  assert.equal(toPendingOrder({ ...order, Type: '1' }), undefined);
});

test('an invalid row is an unusable answer, not an empty deal', () => {
  for (const fields of [{ Deal: '' }, { Deal: 'x' }, { TimeMsc: '', Time: '' }, { Profit: 'x' }])
    assert.throws(() => toDeal(row(fields), 4), { code: 'unavailable' });
});

test('positions come in lots with their side', () => {
  const position = toPosition({
    ...{ Position: '9', Symbol: 'XAUUSD', Action: '1', VolumeExt: '250000000' },
    ...{ PriceOpen: '2000.5', PriceCurrent: '2001', Profit: '-125.00', Storage: '-1.50' },
    ...{ TimeCreate: '1700000000' },
  });
  assert.deepEqual(position, {
    positionId: '9',
    symbol: 'XAUUSD',
    type: 'DEAL_TYPE_SELL',
    volume: 2.5,
    openPrice: 2000.5,
    currentPrice: 2001,
    profit: -125,
    swap: -1.5,
    openTimeMs: 1_700_000_000_000,
  });
});
