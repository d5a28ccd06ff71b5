import type { Sql } from './database.ts';

/** Makes every process ask again for the tokens, accounts and trackers that it remembers. */
export async function changeCatalogue(sql: Sql): Promise<void> {
  await sql.run('update catalogue set version = version + 1 where id = 1');
}

export async function readCatalogueVersion(sql: Sql): Promise<number> {
  const row = await sql.get<{ version: number }>('select version from catalogue where id = 1');
  return row?.version ?? 0;
}
