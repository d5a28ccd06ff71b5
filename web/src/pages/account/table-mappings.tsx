import { useDeleteTableMapping, useTableMappings } from '../../accounts/use-table-mappings.ts';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useMay } from '../../shell/use-may.ts';

/** What was said about tables; nothing while there is none. */
export function TableMappings() {
  const mappings = useTableMappings().data ?? [];
  const removal = useDeleteTableMapping();
  const may = useMay();
  if (mappings.length === 0) return null;
  return (
    <Card title="Mapped tables" hint="Files with the same headings are read by them">
      <ul className="views-list">
        {mappings.map(({ name, columns }) => (
          <li key={name} className="row">
            <span>
              {name}{' '}
              <span className="hint">
                {columns
                  .filter(({ field }) => field)
                  .map(({ heading }) => heading)
                  .join(', ')}
              </span>
            </span>
            {may.write ? (
              <ConfirmButton
                label={`Delete the mapping “${name}”`}
                question={`Delete the mapping “${name}”?`}
                consequence="Files with its headings are no longer read by it. What was imported stays."
                confirm="Delete"
                work={removal}
                action={() => removal.mutateAsync({ params: { name } })}
              >
                Delete
              </ConfirmButton>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
