import { useState } from 'react';
import type { TableSample } from '../../../src/contract/table-sample.ts';
import { type AmountSign, TABLE_FIELDS, type TableField } from '../../../src/words/table-fields.ts';
import { optionsOf } from '../components/choice-field.tsx';
import { Dialog } from '../components/dialog.tsx';
import type { FieldTable } from '../components/field-table.ts';
import { Fields } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { useTyped } from '../lib/edits.ts';
import { USUAL_ZONES } from '../lib/zones.ts';
import { useSaveTableMapping, useTableMappings } from './use-table-mappings.ts';

type MappedColumn = TableSample['columns'][number];

/** Columns whose cells are shown next to a heading. */
const CELLS_SHOWN = 3;

const FIELDS = [{ value: 'unused' as const, title: 'Not used' }, ...optionsOf(TABLE_FIELDS)];
const SIGNS: Record<AmountSign | 'told', string> = {
  told: 'As the file shows',
  'as-listed': 'As they are listed',
  turned: 'Costs are positive',
};
const AMOUNTS: ReadonlySet<TableField> = new Set(['commission', 'swap', 'fee', 'profit', 'result']);
const TIMES: ReadonlySet<TableField> = new Set(['openTime', 'closeTime', 'time']);

/** Asks for the contents of a table's columns, and saves the answer for similar files. */
export function MappingDialog(props: {
  table: TableSample;
  fileName: string;
  saved: () => void;
  close: () => void;
}) {
  const typed = useTyped({ name: props.fileName.replace(/\.\w+$/, '').slice(0, 100) });
  const [columns, setColumns] = useState(props.table.columns);
  const name = typed.form.name.trim();
  const save = useSaveTableMapping();
  const taken = useTableMappings().data?.find((each) => each.name === name);
  return (
    <Dialog title="What do its columns hold?" close={props.close} wide>
      <Form
        {...typed}
        fields={[
          <p key="need" className="hint">
            Closed trades need a side, a volume, the time of closing and a profit. Files with the
            same headings are read by this from now on.
          </p>,
          {
            name: 'name',
            label: 'Name of the mapping',
            required: true,
            maxLength: 100,
            hint: taken ? 'A mapping with this name exists and will be replaced.' : undefined,
          },
          ...columns.map((column, at) => (
            <Fields
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              key={at}
              form={formOf(column)}
              change={(changes) =>
                setColumns(columns.with(at, toColumn(column, { ...formOf(column), ...changes })))
              }
              table={fieldsOf(column, props.table.rows.slice(0, CELLS_SHOWN), at)}
            />
          )),
        ]}
        error={save.error}
        submit={() =>
          save.mutate(
            {
              params: { name },
              query: { replaces: taken?.changedAt ?? 'none' },
              body: { columns },
            },
            { onSuccess: props.saved },
          )
        }
        action="Save and look"
        busy={save.isPending}
        disabled={name === ''}
        cancel={props.close}
      />
    </Dialog>
  );
}

/** A column as it is chosen. */
type ColumnForm = { field: TableField | 'unused'; sign: AmountSign | 'told'; zone: string };

const formOf = ({ field, sign, zone }: MappedColumn): ColumnForm => ({
  field: field ?? 'unused',
  sign: sign ?? 'told',
  zone: zone ?? '',
});

/** What another field has no use for is left out. */
function toColumn({ heading, field: before }: MappedColumn, form: ColumnForm): MappedColumn {
  const { field, sign, zone } = form;
  if (field === 'unused') return { heading };
  if (field !== before) return { heading, field };
  return {
    heading,
    field,
    ...(sign === 'told' ? {} : { sign }),
    ...(zone.trim() ? { zone: zone.trim() } : {}),
  };
}

function fieldsOf(
  { heading, field }: MappedColumn,
  rows: readonly (readonly string[])[],
  at: number,
): FieldTable<ColumnForm> {
  const heard = heading || 'Column without a heading';
  const cells = rows.map((row) => row[at] ?? '');
  return [
    {
      name: 'field',
      label: heard,
      options: FIELDS,
      hint: cells.filter(Boolean).join(' · '),
    },
    field !== undefined &&
      AMOUNTS.has(field) && {
        name: 'sign',
        label: `Signs of ${heard}`,
        options: optionsOf(SIGNS),
      },
    field !== undefined &&
      TIMES.has(field) && {
        name: 'zone',
        label: `Zone of ${heard}`,
        hint: "Empty: the broker's clock",
        suggestions: USUAL_ZONES,
      },
  ];
}
