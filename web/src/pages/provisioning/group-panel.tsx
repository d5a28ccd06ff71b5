import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Form } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import type { Column } from '../../components/table.tsx';
import { useTyped } from '../../lib/edits.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { LongTable } from './long-table.tsx';
import { type PlatformUser, useGroupAccounts } from './use-platform.ts';

/** The platform's own text, in the group's currency, with its digits in threes. */
const withThousands = (amount: string): string =>
  amount.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

const columnsOf = (profileId: string): Column<PlatformUser>[] => [
  {
    title: 'Login',
    cell: ({ login }) => (
      <a href={`${path.provisioning({ profile: profileId, tab: 'login' })}&login=${login}`}>
        {login}
      </a>
    ),
  },
  { title: 'Name', cell: ({ name }) => name || '–' },
  {
    title: 'Balance',
    align: 'end',
    cell: ({ balance }) => <span className="number">{withThousands(balance)}</span>,
  },
  { title: 'Leverage', align: 'end', cell: ({ leverage }) => `1:${leverage}` },
  { title: 'E-mail', wide: true, cell: ({ email }) => email || '–' },
  {
    title: 'Place',
    wide: true,
    cell: ({ city, country }) => [city, country].filter(Boolean).join(', ') || '–',
  },
];

export function GroupPanel({ profile }: { profile: ProfileRecord }) {
  const group = useLocation().query.get('group') ?? '';
  const typed = useTyped({ group });
  const wanted = typed.form.group.trim();
  const { data, error, refetch, isFetching } = useGroupAccounts(profile, group);
  const example = profile.platform === 'p5' ? 'demo\\usd' : 'demo-usd';
  const submit = (): void => {
    if (wanted === group) refetch();
    else replaceQuery({ group: wanted });
  };
  return (
    <Card title="Accounts of a group" flush>
      <Form
        {...typed}
        className="provisioning-query"
        fields={[
          {
            name: 'group',
            label: 'Group',
            hint: `The whole name as the platform writes it, such as ${example}`,
          },
        ]}
        submit={submit}
        action="List accounts"
        busy={isFetching}
        disabled={wanted === ''}
      />
      {error ? (
        <div className="provisioning-inset">
          <ErrorNote error={error} retry={refetch} />
        </div>
      ) : data?.length === 0 ? (
        <Empty title={`No account in ${group}`}>
          The group is empty, or the platform has none of that exact name. Capitals, spaces and
          backslashes count.
        </Empty>
      ) : data ? (
        <LongTable
          caption={`Accounts of ${group}`}
          what="accounts"
          columns={columnsOf(profile.id)}
          rows={data}
          rowKey={({ login }) => login}
          textOf={({ login, name, email }) => `${login} ${name} ${email}`}
        />
      ) : isFetching ? (
        <div className="provisioning-inset">
          <Loading label="Loading accounts of the group" lines={6} />
        </div>
      ) : null}
    </Card>
  );
}
