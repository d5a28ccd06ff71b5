import { commentOfUnknown, type Deal, dealTypeOfNumber, isUnknown } from '../domain/deal.ts';
import { DEAL_ENTRIES, DEAL_TYPES, type DealEntry, type DealType } from '../words/deals.ts';
import type { Warnings } from './warnings.ts';

/**
 * Words of terminals for types of deals: those of p5 are English in every language of its reports;
 * p4 has some of them.
 */
const TYPE_WORDS = new Map<string, DealType>([
  ['buy', 'DEAL_TYPE_BUY'],
  ['sell', 'DEAL_TYPE_SELL'],
  ['balance', 'DEAL_TYPE_BALANCE'],
  ['deposit', 'DEAL_TYPE_BALANCE'],
  ['withdrawal', 'DEAL_TYPE_BALANCE'],
  ['credit', 'DEAL_TYPE_CREDIT'],
  ['charge', 'DEAL_TYPE_CHARGE'],
  ['correction', 'DEAL_TYPE_CORRECTION'],
  ['bonus', 'DEAL_TYPE_BONUS'],
  ['commission', 'DEAL_TYPE_COMMISSION'],
  ['daily commission', 'DEAL_TYPE_COMMISSION_DAILY'],
  ['monthly commission', 'DEAL_TYPE_COMMISSION_MONTHLY'],
  ['daily agent commission', 'DEAL_TYPE_COMMISSION_AGENT_DAILY'],
  ['agent daily', 'DEAL_TYPE_COMMISSION_AGENT_DAILY'],
  ['monthly agent commission', 'DEAL_TYPE_COMMISSION_AGENT_MONTHLY'],
  ['agent monthly', 'DEAL_TYPE_COMMISSION_AGENT_MONTHLY'],
  ['interest', 'DEAL_TYPE_INTEREST'],
  ['interest rate', 'DEAL_TYPE_INTEREST'],
  ['buy canceled', 'DEAL_TYPE_BUY_CANCELED'],
  ['canceled buy', 'DEAL_TYPE_BUY_CANCELED'],
  ['sell canceled', 'DEAL_TYPE_SELL_CANCELED'],
  ['canceled sell', 'DEAL_TYPE_SELL_CANCELED'],
  ['dividend', 'DEAL_TYPE_DIVIDEND'],
  ['franked dividend', 'DEAL_TYPE_DIVIDEND_FRANKED'],
  ['tax', 'DEAL_TYPE_TAX'],
  ['agent', 'DEAL_TYPE_AGENT'],
  ['so compensation', 'DEAL_TYPE_SO_COMPENSATION'],
  ['so compensation credit', 'DEAL_TYPE_SO_COMPENSATION_CREDIT'],
]);

const ENTRY_WORDS = new Map<string, DealEntry>([
  ['in', 'DEAL_ENTRY_IN'],
  ['out', 'DEAL_ENTRY_OUT'],
  ['in/out', 'DEAL_ENTRY_INOUT'],
  ['inout', 'DEAL_ENTRY_INOUT'],
  ['out by', 'DEAL_ENTRY_OUT_BY'],
]);

const types = new Set<string>(DEAL_TYPES);
const entries = new Set<string>(DEAL_ENTRIES);
const isType = (word: string): word is DealType => types.has(word);
const isEntry = (word: string): word is DealEntry => entries.has(word);

/** A deal type by its name, or by the platform's word or number for it. */
export function dealTypeOf(word: string | number): DealType | undefined {
  if (typeof word === 'number') return dealTypeOfNumber(word);
  return isType(word) ? word : TYPE_WORDS.get(word.toLowerCase());
}

/**
 * Type and comment of a deal by a report's word for it. An unknown word becomes a warning, and
 * stays in the comment.
 */
export function kindOfDeal(
  word: string | number,
  comment: string | undefined,
  line: number | undefined,
  warnings: Warnings,
): Pick<Deal, 'type' | 'comment'> {
  const type = dealTypeOf(word) ?? 'DEAL_TYPE_OTHER';
  if (!isUnknown({ type })) return { type, comment };
  const message = `Line ${line}: "${word}" is not a known type of deal. It counts on the balance, as DEAL_TYPE_OTHER`;
  warnings.add('deal_type_unknown', message, line);
  return { type, comment: commentOfUnknown(word, comment) };
}

export function dealEntryOf(word: string | number): DealEntry | undefined {
  if (typeof word === 'number') return DEAL_ENTRIES[word];
  return isEntry(word) ? word : ENTRY_WORDS.get(word.toLowerCase());
}
