import type { Transaction } from './database.ts';

/** A secret of the server; `fresh` is stored if there is none yet. */
export async function findServerSecret(
  tx: Transaction,
  name: string,
  fresh: string,
): Promise<string> {
  await tx.run(
    'insert into server_secret (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, fresh],
  );
  const row = await tx.get<{ value: string }>('select value from server_secret where name = $1', [
    name,
  ]);
  return row?.value ?? fresh;
}
