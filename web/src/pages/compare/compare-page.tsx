import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { accountsOverviewOperation } from '../../../../src/contract/operations/accounts-overview.ts';
import { GroupBar } from '../../accounts/group-bar.tsx';
import { ALL_ACCOUNTS } from '../../accounts/read-fitting.ts';
import { useAccountSearch } from '../../accounts/use-account-search.ts';
import { ChartLoading } from '../../charts/chart-loading.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Combobox } from '../../components/combobox.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { call } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { chooseGroup, useGroup } from '../../lib/group.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { Compared } from './compared.tsx';
import './compare.css';

/** More lines can't be distinguished. */
const MOST = 6;

export function ComparePage() {
  const { query } = useLocation();
  const group = useGroup();
  const named = (query.get('accounts') ?? '').split(',').filter(Boolean);
  const isGroup = named.length === 0 && group !== '';
  const top = useGroupTop(group, MOST, isGroup);
  const ids = isGroup ? (top.data?.ids ?? []) : [...new Set(named)].slice(0, MOST);
  const show = (next: readonly string[]): void =>
    replaceQuery({ accounts: next.join(',') || undefined });
  return (
    <Page
      title="Compare accounts"
      lead={`Growth without deposits and withdrawals, of up to ${MOST} accounts`}
    >
      <GroupBar
        totals={group ? { ...ALL_ACCOUNTS, label: group } : undefined}
        choose={(label) => chooseGroup(label, { accounts: undefined })}
      />
      {top.error ? <ErrorNote error={top.error} retry={top.refetch} /> : null}
      <div className="row">
        {ids.length < MOST ? (
          <AddAccount ids={ids} group={group} add={(id) => show([...ids, id])} />
        ) : null}
        {ids.length >= MOST && !isGroup ? (
          <p className="hint">More than {MOST} lines can’t be told from each other.</p>
        ) : null}
        {isGroup && top.data ? <GroupHint group={group} total={top.data.total} /> : null}
        {!isGroup && group ? <Button onClick={() => show([])}>Show those of {group}</Button> : null}
      </div>
      {isGroup && top.isPending ? <ChartLoading label="Loading the group" /> : null}
      {ids.length > 0 ? (
        <Compared ids={ids} remove={(id) => show(ids.filter((each) => each !== id))} />
      ) : isGroup && !top.data ? null : (
        <Card>
          <Empty title={isGroup ? `No account is in “${group}”` : 'Choose the accounts to compare'}>
            Their currencies may differ: gains are in percent of each account’s own money.
          </Empty>
        </Card>
      )}
    </Page>
  );
}

/** The part of a group that is not on the chart. */
function GroupHint({ group, total }: { group: string; total: number }) {
  if (total <= MOST) return null;
  return (
    <p className="hint">
      {MOST} of the {formatNumber(total, 0)} accounts of {group}: those nearest to a limit when this
      was opened.
    </p>
  );
}

function AddAccount(props: { ids: readonly string[]; group: string; add: (id: string) => void }) {
  const { ids, group, add } = props;
  const [text, setText] = useState('');
  const { choices, isBehind } = useAccountSearch(text, group);
  return (
    <Field label={group ? `Add an account of ${group}` : 'Add an account'} className="compare-add">
      {(control) => (
        <Combobox
          control={control}
          placeholder="Name, login or broker"
          text={text}
          change={setText}
          choices={choices.filter(({ id }) => !ids.includes(id))}
          isBehind={isBehind}
          choose={({ id }) => {
            setText('');
            add(id);
          }}
          left={() => setText('')}
        />
      )}
    </Field>
  );
}

/**
 * The accounts of a group nearest to their limits, and how many it has. Asked once: lines that come
 * and go while one looks can't be compared.
 */
const useGroupTop = (label: string, most: number, isEnabled: boolean) =>
  useQuery({
    queryKey: ['group-top', label, most],
    queryFn: async ({ signal }) => {
      const { accounts, total } = await call<typeof accountsOverviewOperation>(
        'GET /users/current/accounts-overview',
        { query: { label, sort: 'usedLimit', order: 'descending', limit: most } },
        signal,
      );
      return { ids: accounts.map(({ id }) => id), total };
    },
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
