import type { CaseStatement } from '../../contract/operations/cases.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { type Deal, moneyOf } from '../../domain/deal.ts';
import { fromUnits, fromVolume } from '../../domain/money.ts';

export const statedDeal = (deal: Deal, digits: number): CaseStatement['deals'][number] => ({
  ...{ id: deal.id, type: deal.type },
  brokerTime: formatBrokerTime(deal.timeMs),
  money: fromUnits(moneyOf(deal), digits),
});

type ViolationDeals = NonNullable<NonNullable<CaseStatement['decision']>['violationDeals']>;

export function violationDeal(deal: Deal, digits: number): ViolationDeals[number] {
  const { symbol, positionId, volume } = deal;
  return {
    ...{ ...statedDeal(deal, digits), volume: fromVolume(volume) },
    ...(symbol === undefined ? {} : { symbol }),
    ...(positionId === undefined ? {} : { positionId }),
  };
}
