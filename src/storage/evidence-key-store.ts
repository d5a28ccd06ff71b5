import type { Sql, Transaction } from './database.ts';
import { plain, RecordTable } from './record-table.ts';
import type { SealedSecret } from './secret-box.ts';
import { forShare } from './sql-text.ts';

/** A key that signs events. */
export type EvidenceKey = SealedSecret & {
  number: number;
  /** SubjectPublicKeyInfo, base64. */
  publicKey: string;
  fromMs: number;
  /** Null while it is in use. */
  untilMs: number | null;
  signature: string;
};

const KEY = new RecordTable<EvidenceKey>('evidence_key', {
  number: plain('number'),
  publicKey: plain('public_key'),
  secret: plain('secret'),
  secretKeyId: plain('secret_key_id'),
  fromMs: plain('from_ms'),
  untilMs: plain('until_ms'),
  signature: plain('signature'),
});

/** Held while making a key. */
export const holdEvidenceKeys = (tx: Transaction): Promise<void> =>
  tx.lock('plimsoll:evidence-keys');

/** Oldest first. */
export const listEvidenceKeys = (sql: Sql): Promise<EvidenceKey[]> =>
  KEY.all(sql, 'order by number');

/** Whether a key is the current one. If so, it is to the end of the transaction. */
export async function holdEvidenceKey(
  tx: Transaction,
  { number, publicKey }: Pick<EvidenceKey, 'number' | 'publicKey'>,
): Promise<boolean> {
  const row = await tx.get(
    `select 1 as held from evidence_key
     where number = $1 and public_key = $2 and until_ms is null ${forShare(tx.kind)}`,
    [number, publicKey],
  );
  return row !== undefined;
}

/** Stores a key that replaces the current one. */
export async function insertEvidenceKey(
  tx: Transaction,
  key: Omit<EvidenceKey, 'number' | 'untilMs'>,
): Promise<void> {
  await tx.run('update evidence_key set until_ms = $1 where until_ms is null', [key.fromMs]);
  const { text, values } = KEY.insertWithout({ ...key, number: 0, untilMs: null }, 'number');
  await tx.run(text, values);
}
