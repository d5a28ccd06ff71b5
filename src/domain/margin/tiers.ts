import { Exact } from './exact.ts';

/** From `fromVolume` lots on, an order has this leverage: only for the part above. */
export type LeverageTier = { fromVolume: number; leverage: number };

export type TierPart = { lots: Exact; leverage: number };

/**
 * The parts of a volume with the leverage of each, never above the account's. Below the first tier
 * that of the account applies.
 */
export function tierParts(
  volume: number,
  leverage: number,
  tiers: readonly LeverageTier[],
): TierPart[] {
  const steps = [{ fromVolume: 0, leverage }, ...tiers];
  return steps.flatMap(({ fromVolume, leverage: own }, place) => {
    const until = Math.min(volume, steps[place + 1]?.fromVolume ?? volume);
    if (until <= fromVolume) return [];
    const lots = Exact.of(until).minus(Exact.of(fromVolume));
    return [{ lots, leverage: Math.min(own, leverage) }];
  });
}

/** The fault of tiers that are not in order of volume; undefined if there is none. */
export const tierFault = (tiers: readonly LeverageTier[]): string | undefined =>
  tiers.some(({ fromVolume }, place) => fromVolume <= (tiers[place - 1]?.fromVolume ?? -1))
    ? 'must be in the order of fromVolume, each volume once'
    : undefined;
