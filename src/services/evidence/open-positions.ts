import { type CaseAnnex, MAX_CASE_POSITIONS } from '../../contract/operations/cases.ts';
import { type BrokerTimeMs, formatBrokerTime } from '../../domain/broker-time.ts';
import { fromVolume } from '../../domain/money.ts';
import type { OpenTrade } from '../../domain/trades/open-trades.ts';
import type { NotReady, TradeComputer } from '../../histories/trade-computer.ts';
import type { Account } from '../../storage/account-store.ts';

export type OpenPositions = Omit<CaseAnnex['openPositions'], 'openResult'>;

const BY_DEALS = 'From the deals known now; positions without deals are missing.';
/** p4 platforms report orders as deals only once they are closed. */
const ONCE_CLOSED =
  'On this platform a position is known once it is closed: what is still open is missing.';
const UNKNOWN = 'No purchase or sale up to the event is known, so what was open is unknown.';

/**
 * The positions open in an account at a moment, by the deals known now; no platform is asked. Not
 * ready while trades are being computed.
 */
export async function openPositionsAt(
  trades: TradeComputer,
  account: Account,
  timeMs: BrokerTimeMs,
): Promise<{ ready: true; known: OpenPositions } | NotReady> {
  const then = await trades.positionsAt(account, timeMs, MAX_CASE_POSITIONS);
  if (!then.ready) return then;
  const { isKnown, count, positions } = then;
  const said = account.platform === 'p4' ? `${BY_DEALS} ${ONCE_CLOSED}` : BY_DEALS;
  const known: OpenPositions = isKnown
    ? { source: 'deals', remark: said, count, positions: positions.map(present) }
    : { source: 'none', remark: UNKNOWN, count: 0, positions: [] };
  return { ready: true, known };
}

const present = (position: OpenTrade): OpenPositions['positions'][number] => {
  const { positionId, type, symbol, openPrice, incomplete } = position;
  return {
    ...{ positionId, type, volume: fromVolume(position.volume) },
    ...(symbol === undefined ? {} : { symbol }),
    openBrokerTime: formatBrokerTime(position.openTimeMs),
    ...(openPrice === undefined ? {} : { openPrice }),
    ...(incomplete ? { incomplete } : {}),
  };
};
