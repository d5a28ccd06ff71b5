import { useState } from 'react';
import type { TableSample } from '../../../src/contract/table-sample.ts';
import { type AmountSign, TABLE_FIELDS, type TableField } from '../../../src/words/table-fields.ts';
import { ChoiceField, optionsOf } from '../components/choice-field.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { TextField } from '../components/text-field.tsx';
import { USUAL_ZONES } from '../lib/zones.ts';
import { useSaveTableMapping, useTableMappings } from './use-table-mappings.ts';

type MappedColumn = TableSample['columns'][number];

/** Columns whose cells are shown beside a heading. */
const CELLS_SHOWN = 3;

const FIELDS = [{ value: 'unused' as const, title: 'Not used' }, ...optionsOf(TABLE_FIELDS)];
const SIGNS: Record<AmountSign | 'told', string> = {
  told: 'As the file shows',
  'as-listed': 'As they are listed',
  turned: 'Costs are positive',
};
const AMOUNTS: ReadonlySet<TableField> = new Set(['commission', 'swap', 'fee', 'profit', 'result']);
const TIMES: ReadonlySet<TableField> = new Set(['openTime', 'closeTime', 'time']);

/** Asks what the columns of a table hold, and keeps the answer for files like it. */
export function MappingDialog(props: {
  table: TableSample;
  fileName: string;
  saved: () => void;
  close: () => void;
}) {
  const [name, setName] = useState(props.fileName.replace(/\.\w+$/, '').slice(0, 100));
  const [columns, setColumns] = useState(props.table.columns);
  const save = useSaveTableMapping();
  const taken = useTableMappings().data?.find((each) => each.name === name.trim());
  return (
    <Dialog title="What do its columns hold?" close={props.close} wide>
      <Form
        error={save.error}
        submit={() =>
          save.mutate(
            {
              ...{ name: name.trim(), body: { columns } },
              replaces: taken?.changedAt ?? 'none',
            },
            { onSuccess: props.saved },
          )
        }
      >
        <p className="hint">
          Closed trades need a side, a volume, the time of closing and a profit. Files with the same
          headings are read by this from now on.
        </p>
        <TextField
          label="Name of the mapping"
          parameter="name"
          required
          maxLength={100}
          hint={taken ? 'A mapping with this name exists and will be replaced.' : undefined}
          text={name}
          change={setName}
        />
        {columns.map((column, at) => (
          <ColumnFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={at}
            column={column}
            cells={props.table.rows.slice(0, CELLS_SHOWN).map((row) => row[at] ?? '')}
            change={(changed) => setColumns(columns.with(at, changed))}
          />
        ))}
        <FormEnd
          action="Save and look"
          busy={save.isPending}
          disabled={name.trim() === ''}
          cancel={props.close}
        />
      </Form>
    </Dialog>
  );
}

function ColumnFields(props: {
  column: MappedColumn;
  cells: readonly string[];
  change: (column: MappedColumn) => void;
}) {
  const { heading, field, sign, zone } = props.column;
  const heard = heading || 'Column without a heading';
  return (
    <div className="fields">
      <ChoiceField
        label={heard}
        options={FIELDS}
        value={field ?? 'unused'}
        hint={props.cells.filter(Boolean).join(' · ')}
        choose={(value) =>
          props.change({ heading, ...(value === 'unused' ? {} : { field: value }) })
        }
      />
      {field && AMOUNTS.has(field) ? (
        <ChoiceField
          label={`Signs of ${heard}`}
          options={optionsOf(SIGNS)}
          value={sign ?? 'told'}
          choose={(value) =>
            props.change({ heading, field, ...(value === 'told' ? {} : { sign: value }) })
          }
        />
      ) : null}
      {field && TIMES.has(field) ? (
        <TextField
          label={`Zone of ${heard}`}
          hint="Empty: the broker's clock"
          text={zone ?? ''}
          suggestions={USUAL_ZONES}
          change={(text) =>
            props.change({ heading, field, ...(text.trim() ? { zone: text.trim() } : {}) })
          }
        />
      ) : null}
    </div>
  );
}
