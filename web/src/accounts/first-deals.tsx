import type { ImportRecord } from '../../../src/contract/operations/statements.ts';
import { BrokerTime } from '../components/broker-time.tsx';
import { Money } from '../components/money.tsx';
import { Table } from '../components/table.tsx';
import { formatNumber } from '../lib/format.ts';

/** The first deals of a file not imported yet, for comparison with its rows. */
export function FirstDeals({ first = [], currency }: Pick<ImportRecord, 'first' | 'currency'>) {
  return (
    <Table
      caption="First deals"
      rows={first}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Time', cell: ({ brokerTime }) => <BrokerTime value={brokerTime} /> },
        { title: 'Type', cell: ({ type }) => wordsOfType(type) },
        { title: 'Symbol', cell: ({ symbol }) => symbol ?? '' },
        {
          title: 'Volume',
          align: 'end',
          cell: ({ volume }) => (volume === undefined ? '' : formatNumber(volume, 2)),
        },
        { title: 'Price', align: 'end', cell: ({ price }) => price ?? '' },
        {
          title: 'Profit',
          align: 'end',
          cell: ({ profit }) => <Money value={profit ?? 0} currency={currency} signed />,
        },
        {
          title: 'Costs',
          align: 'end',
          cell: ({ swap = 0, commission = 0, fee = 0 }) => (
            <Money value={swap + commission + fee} currency={currency} signed />
          ),
        },
      ]}
    />
  );
}

const wordsOfType = (type: string): string =>
  type.replace('DEAL_TYPE_', '').toLowerCase().replaceAll('_', ' ');
