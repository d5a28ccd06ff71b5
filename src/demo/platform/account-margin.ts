import type { MarketData } from '../../domain/margin/market.ts';
import { positionsMargin } from '../../domain/margin/positions-margin.ts';
import { currencyDigits, type Money, moneyDigits, toUnits } from '../../domain/money.ts';
import type { Platform } from '../../words/accounts.ts';
import type { SimulatedAccount } from './account.ts';
import type { AccountState } from './account-state.ts';
import { MarketAt } from './market.ts';
import type { Quotes } from './quotes.ts';

/** Margin of the account's positions as charged by the platform; 0 if unknown. */
export function accountMargin(
  broker: { family: Platform; marginSettings: MarketData; quotes: Quotes },
  account: SimulatedAccount,
  state: AccountState,
): Money {
  const { currency, marginMode } = account.group;
  const result = positionsMargin({
    held: state.positions.map(({ position, lots }) => ({
      symbol: position.instrument.symbol,
      type: position.side === 1 ? 'ORDER_TYPE_BUY' : 'ORDER_TYPE_SELL',
      volume: lots,
      openPrice: position.openPrice,
    })),
    account: {
      family: broker.family,
      currency,
      currencyDigits: currencyDigits(currency),
      leverage: account.leverage,
      accounting: marginMode === 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING' ? 'netting' : 'hedging',
    },
    market: new MarketAt(broker.marginSettings, broker.quotes, state.utcMs),
  });
  return 'margin' in result ? toUnits(result.margin, moneyDigits(currency)) : 0;
}
