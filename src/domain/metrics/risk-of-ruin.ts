import type { Money } from '../money.ts';
import type { WinLoss } from './win-loss.ts';

/** The chance of losing a share of the balance, and how many average losses in a row it takes. */
export type RuinRisk = {
  /** Share of the balance, 0.1 to 1. */
  lossSize: number;
  /** 0 to 1. */
  probabilityOfLoss: number;
  consecutiveLosingTrades: number;
};

const SHARES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/**
 * With an average loss L, a share of the balance is N = ⌈share × balance / L⌉ losses. The chance of
 * ever losing it is ((1 − A) / (1 + A))^N with A = expectancy / L, at least 0 and at most 1; so it
 * is certain if the expectancy is not positive. Source: the gambler's ruin with equal stakes;
 * Balsara, "Money management strategies for futures traders", 1992. Empty without loss or balance.
 */
export function riskOfRuinOf(
  balance: Money,
  { expectancy = 0, averageLoss = 0 }: Pick<WinLoss, 'expectancy' | 'averageLoss'>,
): RuinRisk[] {
  if (averageLoss >= 0 || balance <= 0) return [];
  const advantage = Math.min(1, Math.max(0, expectancy / -averageLoss));
  return SHARES.map((tenths) => {
    const losses = Math.ceil((tenths * balance) / 10 / -averageLoss);
    return {
      lossSize: tenths / 10,
      probabilityOfLoss: ((1 - advantage) / (1 + advantage)) ** losses,
      consecutiveLosingTrades: losses,
    };
  });
}
