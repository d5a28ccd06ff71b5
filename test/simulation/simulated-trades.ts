import { toVolume } from '../../src/domain/money.ts';
import type { DealRule } from '../../src/domain/programs/program-definition.ts';
import type { Random } from './random.ts';
import type { FeedBatch, WireDeal } from './wire.ts';

const SYMBOLS = ['EURUSD', 'EURGBP', 'XAUUSD'];

type Held = Pick<WireDeal, 'positionId' | 'symbol'> & { type: WireDeal['type']; lots: number };

/** What a firm forbids; most accounts break one of them in a quarter. */
export function simulatedDealRules(random: Random): DealRule[] {
  return Array.from({ length: random.between(1, 2) }, () => {
    const rule = random.pick<DealRule>([
      { kind: 'allowedSymbols', excluded: ['XAU*'] },
      { kind: 'allowedSymbols', only: ['EUR*', 'XAUUSD'] },
      { kind: 'openAtOnce', lots: toVolume(random.between(4, 12) / 10), warnAt: 0.8 },
      { kind: 'openAtOnce', positions: random.between(2, 5), warnAt: 0.5 },
      { kind: 'openAtOnce', positions: random.between(1, 3), per: 'symbol', warnAt: 0.5 },
      { kind: 'hedging' },
      { kind: 'closedHours', starts: 'FRI 22:00', ends: 'SUN 23:00', forbids: 'holding' },
      { kind: 'closedHours', starts: '22:30', ends: '01:15', forbids: 'opening' },
      { kind: 'closedHours', starts: '12:30', ends: '12:45', forbids: 'holding' },
      { kind: 'holdingTime', seconds: random.pick([1, 60, 7200]) },
      { kind: 'openLoss', share: random.pick([0.0005, 0.002, 0.005]), warnAt: 0.5 },
      { kind: 'openLoss', amount: random.pick([500_000, 3_000_000]), inclusive: true },
    ]);
    if (random.chance(0.3)) return rule;
    const failsAt = random.chance(0.7) ? random.between(2, 12) : undefined;
    return { ...rule, onBreach: 'record', failsAt };
  });
}

/**
 * A feed whose trades open and close positions: the money, times and ways of its deals stay. Some
 * are two deals of one moment. An account that nets tells neither positions nor entries.
 */
export function withPositions(batches: readonly FeedBatch[], random: Random): FeedBatch[] {
  const deals = batches
    .flatMap((batch) =>
      batch.kind === 'deals' ? batch.deals : batch.snapshots.flatMap((one) => one.deals ?? []),
    )
    .filter(({ type }) => type === 'DEAL_TYPE_BUY' || type === 'DEAL_TYPE_SELL');
  const isNetting = random.chance(0.3);
  const held: Held[] = [];
  const made = new Map<string, WireDeal[]>();
  for (const deal of deals.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (made.has(deal.id)) continue;
    const parts = random.chance(0.2) ? halvesOf(deal) : [deal];
    const traded = parts.map((part) => tradeIn(part, held, isNetting, random));
    made.set(deal.id, traded);
  }
  const traded = (some: readonly WireDeal[]) => some.flatMap((deal) => made.get(deal.id) ?? [deal]);
  return batches.map((batch) => {
    if (batch.kind === 'deals') return { ...batch, deals: traded(batch.deals) };
    const snapshots = batch.snapshots.map(({ deals: own, ...snapshot }) => ({
      ...snapshot,
      ...(own ? { deals: traded(own) } : {}),
    }));
    return { ...batch, snapshots };
  });
}

/** Both change the balance, as a deal does that may come late. */
function halvesOf(deal: WireDeal): WireDeal[] {
  const { profit, commission: _, ...common } = deal;
  const rest = Math.round(((deal.commission ?? 0) + profit) * 100 - 100) / 100;
  if (rest === 0) return [deal];
  return [
    { ...common, profit: 1 },
    { ...common, id: `${deal.id}b`, profit: rest },
  ];
}

function tradeIn(deal: WireDeal, held: Held[], isNetting: boolean, random: Random): WireDeal {
  const closing = random.chance(0.5) ? held[random.between(0, held.length - 1)] : undefined;
  const { positionId: _p, entry: _e, ...common } = deal;
  if (!closing) {
    const one: Held = {
      ...{ type: deal.type, symbol: random.pick(SYMBOLS), lots: random.between(1, 4) / 10 },
      ...(isNetting ? {} : { positionId: `position-${deal.id}` }),
    };
    held.push(one);
    const { lots: volume, ...where } = one;
    return { ...common, ...where, volume, ...(isNetting ? {} : { entry: 'DEAL_ENTRY_IN' }) };
  }
  const volume = closing.lots > 0.1 && random.chance(0.3) ? 0.1 : closing.lots;
  closing.lots = Math.round((closing.lots - volume) * 10) / 10;
  if (closing.lots === 0) held.splice(held.indexOf(closing), 1);
  const { lots: _l, type: opened, ...where } = closing;
  const type = opened === 'DEAL_TYPE_BUY' ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY';
  return { ...common, ...where, type, volume, ...(isNetting ? {} : { entry: 'DEAL_ENTRY_OUT' }) };
}
