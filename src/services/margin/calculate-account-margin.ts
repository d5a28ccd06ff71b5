import {
  basisOf,
  calculateMargin,
  type MarginBasis,
} from '../../domain/margin/calculate-margin.ts';
import { parseMarginMode } from '../../domain/margin/margin-mode.ts';
import type { MarketData } from '../../domain/margin/market.ts';
import { marketOf } from '../../domain/margin/market.ts';
import type { MarginOrder } from '../../domain/margin/order-checks.ts';
import { isOrderType } from '../../domain/margin/order-type.ts';
import { type MarketRecord, readMarket } from '../../domain/margin/read-market.ts';
import { currencyDigits } from '../../domain/money.ts';
import type { AccountInformation, PlatformMarket, PlatformOrder } from '../../platforms/gateway.ts';
import { findMarket } from '../../storage/market-store.ts';
import { type Account, accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { type Fault, invalid, notFound } from '../errors.ts';

/** Reads the data for margin from the platform of an account with a provisioning profile. */
export type ReadPlatformMarket = (
  account: Account & { profileId: string },
  symbol: string,
) => Promise<
  | { market: PlatformMarket; information: Pick<AccountInformation, 'currency' | 'leverage'> }
  | undefined
>;

/** Asks the platform of an account with a provisioning profile what an order adds to its margin. */
export type ReadAddedMargin = (
  account: Account & { profileId: string },
  order: Omit<PlatformOrder, 'login'>,
) => Promise<{ margin: number } | { unavailable: string }>;

export type MarginContext = Context & {
  readPlatformMarket: ReadPlatformMarket;
  readAddedMargin: ReadAddedMargin;
};

/** The answer, and the basis of the calculation, or why there is none. */
export type CalculatedMargin = {
  body: { margin?: number };
  basis: MarginBasis | 'platform' | 'unavailable';
  doubt?: string;
};

type Known = {
  market: MarketData;
  currency: string;
  leverage: number;
  doubt?: string | undefined;
};

/**
 * Margin of an order in the account's currency; no margin if it cannot be calculated now. The data
 * come from the account's platform if it has a profile, else from the market that was sent for it;
 * `askPlatform` has the platform itself calculate it, with all that the account holds.
 * Throws `validation` naming every fault, `notFound` if the platform does not know the login.
 */
export async function calculateAccountMargin(
  context: MarginContext,
  principal: Principal,
  accountId: string,
  order: MarginOrder,
  askPlatform: boolean,
): Promise<CalculatedMargin> {
  const account = await accessAccount(context, principal, accountId);
  const calculated = await calculate(context, account, order);
  if ('faults' in calculated) throw invalid([...calculated.faults]);
  const result = askPlatform ? await ask(context, account, order) : calculated;
  if ('margin' in result) return { body: { margin: result.margin }, basis: result.basis };
  context.logger.debug({ accountId, reason: result.unavailable }, 'margin could not be calculated');
  return { body: {}, basis: 'unavailable', doubt: result.unavailable };
}

async function ask(context: MarginContext, account: Account, { type, ...order }: MarginOrder) {
  const { profileId } = account;
  if (profileId === null || !isOrderType(type))
    return { unavailable: 'the account has no platform to ask' };
  const asked = await context.readAddedMargin({ ...account, profileId }, { ...order, type });
  return 'margin' in asked ? { ...asked, basis: 'platform' as const } : asked;
}

/** The faults of the given fields of an order. */
export async function marginFaults(
  context: MarginContext,
  principal: Principal,
  accountId: string,
  order: Partial<MarginOrder>,
): Promise<Fault[]> {
  const whole = { symbol: '', type: '', volume: 0, openPrice: 0, ...order };
  const account = await accessAccount(context, principal, accountId);
  const result = await calculate(context, account, whole);
  const faults = 'faults' in result ? result.faults : [];
  return faults.filter(({ parameter }) => parameter in order);
}

async function calculate(context: MarginContext, account: Account, order: MarginOrder) {
  const { market, currency, leverage, doubt } = await knownOf(context, account, order.symbol);
  const known = market.symbol(order.symbol);
  const result = calculateMargin({
    order,
    account: {
      family: account.platform,
      currency,
      currencyDigits: currencyDigits(currency),
      leverage,
    },
    market,
  });
  if (doubt !== undefined && 'margin' in result) return { unavailable: doubt };
  const basis: MarginBasis = known ? basisOf(known) : 'formula';
  return { ...result, basis };
}

async function knownOf(context: MarginContext, account: Account, symbol: string): Promise<Known> {
  const { profileId, currency, leverage } = account;
  if (profileId === null) {
    const record = await findMarket(context.database, account.number);
    return { market: dataOf(account, record), currency, leverage };
  }
  const answer = await context.readPlatformMarket({ ...account, profileId }, symbol);
  if (!answer) throw notFound('Account');
  const { doubt } = answer.market;
  return { market: dataOf(account, answer.market), ...answer.information, doubt };
}

/** Symbols with a margin mode unknown to the family count as unknown. */
function dataOf(account: Account, record: MarketRecord | undefined): MarketData {
  if (!record) return marketOf([], []);
  const symbols = record.symbols.filter((each) =>
    parseMarginMode(account.platform, each.marginMode),
  );
  const read = readMarket(account.platform, { ...record, symbols });
  return 'market' in read ? read.market : marketOf([], []);
}
