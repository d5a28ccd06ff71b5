import { useState } from 'react';
import type { TableSample } from '../../../src/contract/table-sample.ts';
import { Button } from '../components/button.tsx';
import { ApiError } from '../lib/api.ts';
import { useMay } from '../shell/use-may.ts';
import { MappingDialog } from './mapping-dialog.tsx';

/** Offers to explain a table's columns; nothing without a table, or for users without the right. */
export function MappingOffer(props: {
  table: TableSample | undefined;
  fileName: string;
  saved: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const { write } = useMay();
  if (!props.table || !write) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Say what its columns hold</Button>
      {isOpen ? (
        <MappingDialog
          table={props.table}
          fileName={props.fileName}
          close={() => setOpen(false)}
          saved={() => {
            setOpen(false);
            props.saved();
          }}
        />
      ) : null}
    </>
  );
}

/** The table of a file that was refused as unknown. */
export const tableOfError = (error: unknown): TableSample | undefined =>
  error instanceof ApiError ? error.record?.details?.find(({ table }) => table)?.table : undefined;
