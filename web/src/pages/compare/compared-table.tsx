import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { ComparedAccount } from '../../charts/compare-series.ts';
import { Button } from '../../components/button.tsx';
import { Table } from '../../components/table.tsx';
import { formatFraction, toBrokerTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';

type Row = {
  id: string;
  /** Undefined if it no longer exists. */
  account: AccountRecord | undefined;
  compared: ComparedAccount | undefined;
  /** Its gain at the cross-hair. */
  here: number | undefined;
};

/** The legend of the chart, with its figures in words. */
export function ComparedTable(props: {
  accounts: Row[];
  timeSeconds: number | undefined;
  isLatest: boolean;
  remove: (id: string) => void;
}) {
  const { accounts, timeSeconds } = props;
  const when = timeSeconds === undefined ? '' : toBrokerTime(timeSeconds * 1000).slice(0, 16);
  const places = new Map(accounts.map(({ id }, index) => [id, index + 1]));
  return (
    <Table
      caption="Compared accounts"
      rows={accounts}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'Account',
          cell: ({ id, account }) => (
            <span className="row compared-name">
              <svg className={`series-key series-${places.get(id)}`} viewBox="0 0 28 4" aria-hidden>
                <path d="M0 2h28" />
              </svg>
              <a href={path.account(id)}>{account?.name ?? id}</a>
              {account ? (
                <span className="hint">
                  {account.login} · {account.currency}
                </span>
              ) : null}
            </span>
          ),
        },
        {
          title: props.isLatest ? 'Gain, newest hour' : `Gain at ${when}`,
          align: 'end',
          cell: ({ here, compared }) => <Gain value={props.isLatest ? compared?.gain : here} />,
        },
        {
          title: 'Deepest fall, ends of hours',
          align: 'end',
          cell: ({ compared }) =>
            compared ? (
              <span className="number">{formatFraction(-compared.deepest)}</span>
            ) : (
              <None />
            ),
        },
        {
          title: 'In the chart',
          align: 'end',
          cell: ({ id, account }) => (
            <Button size="small" kind="quiet" onClick={() => props.remove(id)}>
              Remove<span className="visually-hidden"> {account?.name ?? id}</span>
            </Button>
          ),
        },
      ]}
    />
  );
}

function Gain({ value }: { value: number | undefined }) {
  if (value === undefined) return <None />;
  const tone = value < 0 ? 'bad' : value > 0 ? 'good' : '';
  return <span className={`number ${tone}`}>{formatFraction(value, 2, true)}</span>;
}

const None = () => (
  <span className="muted" title="No figures at this time">
    –
  </span>
);
