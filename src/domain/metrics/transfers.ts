import type { DealType } from '../deal.ts';

/** Deals that bring or take capital; all other deals without a position are costs or income. */
const TRANSFER_TYPES: ReadonlySet<DealType> = new Set<DealType>([
  'DEAL_TYPE_BALANCE',
  'DEAL_TYPE_CORRECTION',
  'DEAL_TYPE_BONUS',
  'DEAL_TYPE_SO_COMPENSATION',
]);

export const isTransfer = ({ type }: { type: DealType }): boolean => TRANSFER_TYPES.has(type);
