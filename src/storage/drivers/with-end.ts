import type { Transaction } from '../database.ts';

/** What drivers bring along. */
export type BareTransaction = Omit<Transaction, 'atEnd'>;

/** Does the work of a transaction, and then what it left for its end. */
export async function withEnd<T>(
  bare: BareTransaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const left: (() => Promise<void>)[] = [];
  const result = await work({ ...bare, atEnd: (last) => left.push(last) });
  for (const last of left) await last();
  return result;
}
