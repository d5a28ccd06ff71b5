import type { ImportRecord } from '../../../../src/contract/operations/statements.ts';
import { Badge } from '../../components/badge.tsx';
import { Table } from '../../components/table.tsx';
import { formatNumber } from '../../lib/format.ts';

type Figure = ImportRecord['reconciliation']['figures'][number];

/** Digits that no report goes beyond. */
const DIGITS = 8;

/** What the report states of itself, beside what follows from the deals that it lists. */
export function Reconciliation({ figures, differences }: ImportRecord['reconciliation']) {
  if (figures.length === 0) {
    return <p className="hint">The report states no figures to compare with.</p>;
  }
  const differs = ({ name }: Figure): boolean => differences.includes(name);
  const compared = figures.filter(({ computed }) => computed !== undefined);
  const alike = compared.length - differences.length;
  return (
    <details open={differences.length > 0}>
      <summary>
        {alike} of {compared.length} figures of the report are as computed from its deals
        {differences.length > 0 ? `, ${differences.length} differ` : ''}
      </summary>
      <Table
        caption="The report's figures and ours"
        rows={[...figures].sort((a, b) => Number(differs(b)) - Number(differs(a)))}
        rowKey={({ name }) => name}
        columns={[
          { title: 'Figure', cell: ({ name }) => name.replaceAll('_', ' ') },
          { title: 'Stated', align: 'end', cell: ({ stated }) => formatNumber(stated, DIGITS) },
          {
            title: 'Computed',
            align: 'end',
            cell: ({ computed }) => (computed === undefined ? '–' : formatNumber(computed, DIGITS)),
          },
          {
            title: 'Outcome',
            cell: (figure) =>
              figure.computed === undefined ? (
                <span className="muted">Not in the deals</span>
              ) : differs(figure) ? (
                <Badge tone="bad">Differs</Badge>
              ) : (
                <Badge tone="good">Same</Badge>
              ),
          },
        ]}
      />
    </details>
  );
}
