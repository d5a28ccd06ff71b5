import type { Volume } from '../../domain/money.ts';
import { toVolume } from '../../domain/money.ts';
import type { Instrument } from './instrument.ts';
import type { PositionEnds, Valuation } from './position.ts';
import type { Quotes } from './quotes.ts';
import type { Intention } from './strategy.ts';

/** A strategy opens no position whose margin at the account's leverage exceeds this part. */
const MAX_MARGIN_PART = 0.2;

type TradeIntention = Extract<Intention, { kind: 'trade' }>;
type Desk = { quotes: Quotes; valuation: Valuation; leverage: number };

export type PlannedOrder = {
  instrument: Instrument;
  side: 1 | -1;
  volume: Volume;
  ends: PositionEnds;
};

/** The order for an intention with a balance; undefined if it can't be traded. */
export function plannedOrder(
  intention: TradeIntention,
  balance: number,
  desk: Desk,
): PlannedOrder | undefined {
  const instrument = desk.quotes.instrument(intention.symbol);
  if (!instrument || balance <= 0) return undefined;
  const { utcMs, holdMs } = intention;
  const move = instrument.dailyMove * instrument.price;
  const stop = intention.stop * move;
  const volume = sized(instrument, intention, stop, balance, desk);
  if (volume === 0) return undefined;
  const side = sideOf(desk.quotes, instrument, intention);
  const price = openPriceAt(desk.quotes, instrument, side, utcMs);
  const scale = 10 ** instrument.digits;
  const rounded = (level: number) => Math.round(level * scale) / scale;
  return {
    instrument,
    side,
    volume,
    ends: {
      stopLoss: rounded(price - side * stop),
      takeProfit: rounded(price + side * intention.target * move),
      timeoutUtcMs: utcMs + holdMs,
      partialUtcMs: intention.partial ? utcMs + holdMs / 2 : undefined,
    },
  };
}

/** Long positions open at the ask, short ones at the bid. */
export function openPriceAt(
  quotes: Quotes,
  instrument: Instrument,
  side: 1 | -1,
  utcMs: number,
): number {
  const quote = quotes.quote(instrument, utcMs);
  return side === 1 ? quote.ask : quote.bid;
}

/** Some trades are well informed: they know the price at their time-out. */
function sideOf(quotes: Quotes, instrument: Instrument, intention: TradeIntention): 1 | -1 {
  if (!intention.informed) return intention.side;
  const now = quotes.quote(instrument, intention.utcMs).bid;
  const then = quotes.quote(instrument, intention.utcMs + intention.holdMs).bid;
  return then >= now ? 1 : -1;
}

/** Lots that lose `risk` of the balance at the stop, within the symbol's and margin's limits. */
function sized(
  instrument: Instrument,
  { risk, utcMs }: TradeIntention,
  stop: number,
  balance: number,
  { valuation, leverage }: Desk,
): Volume {
  const value = valuation.valueOfMove(instrument, utcMs);
  if (value === undefined) return 0;
  const byRisk = (balance * risk) / (stop * value);
  const byMargin = (balance * leverage * MAX_MARGIN_PART) / (value * instrument.price);
  const lots = Math.min(byRisk, byMargin, instrument.volumeMax);
  if (lots < instrument.volumeMin) return 0;
  return Math.floor(lots / instrument.volumeStep) * toVolume(instrument.volumeStep);
}
