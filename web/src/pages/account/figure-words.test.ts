import assert from 'node:assert/strict';
import { it } from 'node:test';
import { figureWords } from './figure-words.ts';

it('figures of reports have words', () => {
  const words = {
    balance: 'Balance',
    total_net_profit: 'Total net profit',
    floating_pl: 'Floating P/L',
    short_trades_pct: 'Short trades in percent',
    max_consecutive_wins_paren: 'Most consecutive wins (money)',
    maximal_consecutive_profit_paren: 'Maximal consecutive profit (count)',
    corr_profit_mfe: 'Correlation of profit MFE',
    lr_standard_error: 'LR standard error',
    min_holding_seconds: 'Least holding seconds',
  };
  for (const [key, text] of Object.entries(words)) assert.equal(figureWords(key), text);
});
