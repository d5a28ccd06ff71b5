import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoricalTrade } from '../../../../src/contract/operations/historical-trades.ts';
import { tradesToCsv } from './trades-csv.ts';

const trade: HistoricalTrade = {
  _id: 'a+1',
  accountId: 'a',
  positionId: '1',
  volume: 0.1,
  durationInMinutes: 5,
  profit: -12.5,
  gain: -0.1,
  success: 'lost',
  openTime: '2026-01-01 10:00:00.000',
  closeTime: '2026-01-01 10:05:00.000',
  type: 'DEAL_TYPE_BUY',
};

describe('trades as CSV', () => {
  it('have a head, one line each, and empty cells for what is absent', () => {
    const [head, row, end] = tradesToCsv([trade], 'en-GB').split('\r\n');
    assert.ok(head?.startsWith('\uFEFFpositionId,type,symbol,volume'));
    assert.ok(row?.startsWith('1,DEAL_TYPE_BUY,,0.1,2026-01-01 10:00:00,,'));
    assert.ok(row?.includes(',-12.5,'));
    assert.equal(end, '');
  });

  it('have decimal commas and semicolons where the language has them', () => {
    const [, row] = tradesToCsv([{ ...trade, comment: 'a;b' }], 'de-AT').split('\r\n');
    assert.ok(row?.startsWith('1;DEAL_TYPE_BUY;;0,1;2026-01-01 10:00:00;;'));
    assert.ok(row?.endsWith(';"a;b"'));
  });

  it('quote what would break the line', () => {
    const text = tradesToCsv([{ ...trade, comment: 'a,"b"\nc' }], 'en');
    assert.match(text, /"a,""b""\nc"/);
  });

  it('prevent a comment from running as a formula', () => {
    assert.match(tradesToCsv([{ ...trade, comment: '=1+1' }], 'en'), /,'=1\+1/);
    // Some spreadsheets also part the cells at semicolons.
    assert.match(tradesToCsv([{ ...trade, comment: 'x;=1+1' }], 'en'), /,"x;=1\+1"/);
  });
});
