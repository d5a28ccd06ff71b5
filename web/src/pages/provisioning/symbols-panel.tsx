import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Card } from '../../components/card.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { Empty } from '../../components/empty.tsx';
import { Shown } from '../../components/shown.tsx';
import type { Column } from '../../components/table.tsx';
import { formatNumber } from '../../lib/format.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { LongTable } from './long-table.tsx';
import { type PlatformSymbol, useSymbols } from './use-platform.ts';

/** A p4 platform has 32 security groups at most. */
const GROUPS = [
  { value: '', title: 'All groups' },
  ...Array.from({ length: 32 }, (_, index) => ({ value: `${index}`, title: `Group ${index}` })),
];
const PRICE_DIGITS = 10;

const MARGIN_MODES: Record<string, string> = {
  MARGIN_CALC_FOREX: 'forex',
  MARGIN_CALC_CFD: 'CFD',
  MARGIN_CALC_FUTURES: 'futures',
  MARGIN_CALC_CFDINDEX: 'CFD index',
  MARGIN_CALC_CFDLEVERAGE: 'CFD with leverage',
};

const tradingWords = (mode: string): string =>
  mode
    .replace(/^TRADE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();

const COLUMNS: Column<PlatformSymbol>[] = [
  { title: 'Symbol', cell: ({ symbol }) => <strong>{symbol}</strong> },
  { title: 'Description', wide: true, cell: ({ description }) => description || '–' },
  { title: 'Group', align: 'end', cell: ({ type }) => type },
  { title: 'Currency', cell: ({ currency }) => currency },
  { title: 'Digits', align: 'end', cell: ({ digits }) => digits },
  {
    title: 'Point',
    align: 'end',
    wide: true,
    cell: ({ point }) => formatNumber(point, PRICE_DIGITS),
  },
  {
    title: 'Margin',
    wide: true,
    cell: ({ marginMode }) => MARGIN_MODES[marginMode] ?? marginMode,
  },
  { title: 'Trading', wide: true, cell: ({ tradeMode }) => tradingWords(tradeMode) },
];

export function SymbolsPanel({ profile }: { profile: ProfileRecord }) {
  const chosen = useLocation().query.get('securityGroup') ?? '';
  const group = GROUPS.find(({ value }) => value === chosen)?.value ?? '';
  const symbols = useSymbols(profile, group);
  return (
    <Card title="Symbols" flush>
      <div className="provisioning-query">
        <ChoiceField
          label="Security group"
          options={GROUPS}
          value={group}
          choose={(next) => replaceQuery({ securityGroup: next })}
        />
      </div>
      <Shown
        read={symbols}
        what="symbols"
        lines={6}
        isInset
        empty={
          <Empty title={`Group ${group} has no symbols`}>
            Platforms sort their symbols into up to 32 groups, numbered from 0; most use a few of
            them.
          </Empty>
        }
      >
        {(rows) => (
          <LongTable
            caption="Symbols of the platform"
            what="symbols"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ symbol }) => symbol}
            textOf={({ symbol, description }) => `${symbol} ${description}`}
          />
        )}
      </Shown>
    </Card>
  );
}
