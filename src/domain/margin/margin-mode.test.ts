import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMarginMode } from './margin-mode.ts';

test('every way of writing a p5 mode is read', () => {
  for (const written of ['CFDLEVERAGE', 'CFD_LEVERAGE', 'SYMBOL_CALC_MODE_CFDLEVERAGE', 4, '4'])
    assert.equal(parseMarginMode('p5', written), 'CFDLEVERAGE', String(written));
  assert.equal(parseMarginMode('p5', 'TRADE_MODE_EXCH_STOCKS'), 'EXCH_STOCKS');
  assert.equal(parseMarginMode('p5', 'SYMBOL_CALC_MODE_FOREX_NO_LEVERAGE'), 'FOREX_NO_LEVERAGE');
  assert.equal(parseMarginMode('p5', 34), 'EXCH_FUTURES_FORTS');
  assert.equal(parseMarginMode('p5', 64), 'SERV_COLLATERAL');
  assert.equal(parseMarginMode('p5', 'MARGIN_CALC_FOREX'), 'FOREX');
});

test('p4 has five modes with numbers of its own', () => {
  assert.equal(parseMarginMode('p4', 'MARGIN_CALC_CFDINDEX'), 'CFDINDEX');
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((number) => parseMarginMode('p4', number)),
    ['FOREX', 'CFD', 'FUTURES', 'CFDINDEX', 'CFDLEVERAGE', undefined],
  );
  assert.equal(parseMarginMode('p4', 'MARGIN_CALC_EXCH_STOCKS'), undefined);
});

test('unknown words are not read as a mode', () => {
  for (const written of ['', 'forex', '6', -1, 'MARGIN_CALC_', '__proto__', 'SPREAD'])
    assert.equal(parseMarginMode('p5', written), undefined, String(written));
});
