import { useDeleteTableMapping, useTableMappings } from '../../accounts/use-table-mappings.ts';
import { Card } from '../../components/card.tsx';
import { SavedList } from '../../components/saved-list.tsx';
import { useMay } from '../../shell/use-may.ts';

/** What was said about tables; nothing while there is none. */
export function TableMappings() {
  const mappings = useTableMappings().data ?? [];
  const removal = useDeleteTableMapping();
  const may = useMay();
  if (mappings.length === 0) return null;
  return (
    <Card title="Mapped tables" hint="Files with the same headings are read by them">
      <SavedList
        rows={mappings}
        what="mapping"
        consequence="Files with its headings are no longer read by it. What was imported stays."
        removal={removal}
        mayDelete={may.write}
        about={({ columns }) =>
          columns
            .filter(({ field }) => field)
            .map(({ heading }) => heading)
            .join(', ')
        }
      />
    </Card>
  );
}
