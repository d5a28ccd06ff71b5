import type { CaseStatement } from '../../contract/operations/cases.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { type Deal, moneyOf } from '../../domain/deal.ts';
import { fromUnits } from '../../domain/money.ts';

export const statedDeal = (deal: Deal, digits: number): CaseStatement['deals'][number] => ({
  ...{ id: deal.id, type: deal.type },
  brokerTime: formatBrokerTime(deal.timeMs),
  money: fromUnits(moneyOf(deal), digits),
});
