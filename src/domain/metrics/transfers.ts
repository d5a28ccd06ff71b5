import type { DealType } from '../../words/deals.ts';
import { CREDIT_TYPES } from '../deal.ts';

/** Deals that add or remove capital; all other deals without a position are costs or income. */
const TRANSFER_TYPES: ReadonlySet<DealType> = new Set<DealType>([
  'DEAL_TYPE_BALANCE',
  'DEAL_TYPE_CORRECTION',
  'DEAL_TYPE_BONUS',
  'DEAL_TYPE_SO_COMPENSATION',
]);

/** Deals that move the equity without being profit or loss: capital, and credit. */
export const CAPITAL_TYPES: readonly DealType[] = [...TRANSFER_TYPES, ...CREDIT_TYPES];

export const isTransfer = ({ type }: { type: DealType }): boolean => TRANSFER_TYPES.has(type);
