import { type Deal, isTradeDeal } from '../../domain/deal.ts';
import type { Warnings } from '../warnings.ts';
import { matchPositions } from './match-positions.ts';
import type { OrderedDeal } from './matching.ts';
import { tellMatching, warnOfMatching } from './tell-matching.ts';

/** Finds the positions of deals that do not name theirs. */
export function matchLoose(deals: readonly OrderedDeal[], warnings: Warnings): Deal[] {
  const loose = deals.filter(({ deal }) => isTradeDeal(deal) && deal.positionId === undefined);
  const matching = matchPositions(loose, undefined);
  tellMatching(loose, matching);
  warnOfMatching(loose, matching, warnings);
  return deals.map(({ deal }) => deal);
}
