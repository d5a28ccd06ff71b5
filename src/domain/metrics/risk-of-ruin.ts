import type { Money } from '../money.ts';
import type { WinLoss } from './win-loss.ts';

/** How likely it is to lose a share of the balance, and how many average losses in a row do it. */
export type RuinRisk = {
  /** Share of the balance, 0.1 to 1. */
  lossSize: number;
  /** 0 to 1. */
  probabilityOfLoss: number;
  consecutiveLosingTrades: number;
};

const SHARES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/**
 * With average losses of L, a share of the balance is N = ⌈share × balance / L⌉ of them, and lost
 * some day with ((1 − A) / (1 + A))^N, A = the expectancy over L, at most 1. It is sure where a
 * trade expects nothing. Source: the gambler's ruin with equal stakes; Balsara, "Money management
 * strategies for futures traders", 1992. None without a loss or a balance.
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
