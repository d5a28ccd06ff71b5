import type { ImportRecord } from '../../../../src/contract/operations/statements.ts';
import { Badge } from '../../components/badge.tsx';
import { Table } from '../../components/table.tsx';
import { formatNumber } from '../../lib/format.ts';
import { figureWords } from './figure-words.ts';

type Figure = ImportRecord['reconciliation']['figures'][number];

/** More digits than any report prints. */
const DIGITS = 8;

/** If both are equal, ours is shown rounded like the report's. */
const digitsOf = (stated: number): number => String(stated).split('.')[1]?.length ?? 0;

/** The report's own figures, next to those that follow from its deals. */
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
        {alike} of {compared.length} figures of the report match those computed from its deals
        {differences.length > 0 ? `, ${differences.length} differ` : ''}
      </summary>
      <Table
        caption="Reported and computed figures"
        rows={[...figures].sort((a, b) => Number(differs(b)) - Number(differs(a)))}
        rowKey={({ name }) => name}
        columns={[
          { title: 'Figure', cell: ({ name }) => figureWords(name) },
          { title: 'Stated', align: 'end', cell: ({ stated }) => formatNumber(stated, DIGITS) },
          {
            title: 'Computed',
            align: 'end',
            cell: (figure) =>
              figure.computed === undefined
                ? '–'
                : formatNumber(figure.computed, differs(figure) ? DIGITS : digitsOf(figure.stated)),
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
