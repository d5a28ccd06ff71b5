import { MAX_DOCUMENTS_PER_USER } from '../../contract/operations/account-views.ts';
import type { NewTableMapping } from '../../contract/operations/table-mappings.ts';
import { isKnownZone } from '../../domain/broker-time.ts';
import { VALID_ZONE } from '../../domain/formats.ts';
import { kindOfMapping, type TableMapping } from '../../statements/flat/mappings.ts';
import type { Sql } from '../../storage/database.ts';
import { listDocuments } from '../../storage/document-store.ts';
import type { Context, Principal } from '../context.ts';
import { type Named, saveDocument } from '../documents/manage-documents.ts';
import { type Fault, invalid } from '../errors.ts';

const LACKS =
  'must map side, volume, closeTime and a profit (closed trades), or id, type, time, volume, price, ' +
  'a profit and entry or positionId (deals)';

/** The faults of the given fields of a mapping. */
export function mappingFaults({ columns }: Partial<NewTableMapping>): Fault[] {
  if (columns === undefined) return [];
  const zones = columns.flatMap(({ zone }, place) =>
    zone === undefined || isKnownZone(zone)
      ? []
      : [{ parameter: `columns[${place}].zone`, message: VALID_ZONE }],
  );
  const isKind = kindOfMapping({ columns }) !== undefined;
  return isKind ? zones : [...zones, { parameter: 'columns', message: LACKS }];
}

/** A user's explanations of tables. */
export const mappingsOf = async (sql: Sql, userId: string): Promise<TableMapping[]> =>
  (await listDocuments<TableMapping>(sql, userId, 'table-mapping', MAX_DOCUMENTS_PER_USER)).map(
    ({ body }) => body,
  );

/** Throws `validation` naming every fault, and like saveDocument. */
export async function saveTableMapping(
  context: Context,
  principal: Principal,
  mapping: Named & { body: NewTableMapping },
): Promise<void> {
  const faults = mappingFaults(mapping.body);
  if (faults.length > 0) throw invalid(faults);
  await saveDocument(context, principal, 'table-mapping', mapping);
}
