import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as server from '../../../src/domain/money.ts';
import { currencyDigits } from './currency-digits.ts';

it('every currency has the same digits here as on the server', () => {
  const listed = Intl.supportedValuesOf('currency');
  const coins = 'BTC XBT ETH LTC BCH XMR DOT SOL BNB USDT USC DOGE UYI'.split(' ');
  for (const currency of [...listed, ...coins]) {
    assert.equal(currencyDigits(currency), server.currencyDigits(currency), currency);
  }
});
