import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { accountsOverviewOperation } from '../../../src/contract/operations/accounts-overview.ts';
import { Button } from '../components/button.tsx';
import { Check } from '../components/check.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Loading } from '../components/loading.tsx';
import { TextField } from '../components/text-field.tsx';
import { formatNumber } from '../lib/format.ts';
import { useRead } from '../lib/use-operation.ts';
import { ALL_ACCOUNTS, readFitting, type Which } from './read-fitting.ts';
import { useLabels } from './use-labels.ts';
import './account-choice.css';

const MAX_SHOWN = 100;
/** At most this many at once. */
export const MOST_CHOSEN = 500;

/** The chosen accounts: names by id. */
export type Chosen = ReadonlyMap<string, string>;

type Props = {
  /** Not offered: the account that is being copied from. */
  except?: string | undefined;
  /** Only accounts in this currency are offered. */
  currency?: string | undefined;
  /** The initial search text. */
  start?: Which;
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
  isFixed: boolean;
  /** Shown after an account's name. */
  tell?: (accountId: string) => ReactNode;
};

/** Chooses many of any number of accounts: one by one, or all that match. */
export function AccountChoice(props: Props) {
  const { chosen, choose, isFixed, currency, except } = props;
  const [which, setWhich] = useState(props.start ?? ALL_ACCOUNTS);
  const found = useFitting(which);
  if (!found.data) {
    if (found.error) return <ErrorNote error={found.error} retry={found.refetch} />;
    return <Loading label="Loading accounts" lines={5} />;
  }
  const isOffered = (one: { id: string; currency: string }): boolean =>
    one.id !== except && (currency === undefined || one.currency === currency);
  const shown = found.data.accounts.filter(isOffered);
  const toggle = (accounts: readonly { id: string; name: string }[], isOn: boolean): void => {
    const next = new Map(chosen);
    for (const { id, name } of accounts) isOn ? next.set(id, name) : next.delete(id);
    choose(new Map([...next].slice(0, MOST_CHOSEN)));
  };
  const more = found.data.total - found.data.accounts.length;
  return (
    <>
      {found.error ? <ErrorNote error={found.error} retry={found.refetch} /> : null}
      <Filters which={which} change={(changes) => setWhich({ ...which, ...changes })} />
      <div className="row">
        <Check
          disabled={isFixed || shown.length === 0}
          isOn={shown.length > 0 && shown.every(({ id }) => chosen.has(id))}
          set={(isOn) => toggle(shown, isOn)}
        >
          All {formatNumber(shown.length, 0)} that are shown
        </Check>
        {more > 0 ? (
          <AllFitting
            which={which}
            total={found.data.total}
            isFixed={isFixed}
            take={(accounts) => toggle(accounts.filter(isOffered), true)}
          />
        ) : null}
        <span className="hint" aria-live="polite">
          {formatNumber(chosen.size, 0)} chosen
          {chosen.size >= MOST_CHOSEN ? ', as many as are done at once' : ''}
        </span>
        {chosen.size > 0 ? (
          <Button size="small" kind="quiet" disabled={isFixed} onClick={() => choose(new Map())}>
            Choose none
          </Button>
        ) : null}
      </div>
      {shown.length === 0 ? <p className="muted">No accounts match.</p> : null}
      <ul className="account-choice">
        {shown.map((account) => (
          <li key={account.id}>
            <Check
              disabled={isFixed}
              isOn={chosen.has(account.id)}
              set={(isOn) => toggle([account], isOn)}
            >
              {account.name} <span className="hint">{account.login}</span>
            </Check>
            {props.tell?.(account.id)}
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="hint">{formatNumber(more, 0)} more accounts match: search for them.</p>
      ) : null}
    </>
  );
}

const useFitting = (which: Which) =>
  useRead<typeof accountsOverviewOperation>(
    ['accounts', 'choice', which],
    'GET /users/current/accounts-overview',
    { query: { ...which, limit: MAX_SHOWN, sort: 'name' } },
    { placeholderData: keepPreviousData },
  );

function Filters({ which, change }: { which: Which; change: (changes: Partial<Which>) => void }) {
  return (
    <div className="row account-choice-filters">
      <TextField
        label="Search accounts"
        type="search"
        text={which.search}
        change={(search) => change({ search })}
      />
      <LabelSelect label={which.label} choose={(label) => change({ label })} />
      <Check
        isOn={which.filter === 'unwatched'}
        set={(isOn) => change({ filter: isOn ? 'unwatched' : 'all' })}
      >
        Only unwatched
      </Check>
    </div>
  );
}

function AllFitting(props: {
  which: Which;
  total: number;
  isFixed: boolean;
  take: (accounts: Awaited<ReturnType<typeof readFitting>>) => void;
}) {
  const reading = useMutation({
    mutationFn: () => readFitting(props.which, MOST_CHOSEN),
    onSuccess: props.take,
  });
  const number = formatNumber(Math.min(props.total, MOST_CHOSEN), 0);
  return (
    <>
      <Button
        size="small"
        busy={reading.isPending}
        disabled={props.isFixed}
        onClick={() => reading.mutate()}
      >
        {props.total > MOST_CHOSEN
          ? `Choose the first ${number}`
          : `Choose all ${number} that match`}
      </Button>
      {reading.error ? <span className="field-error">{reading.error.message}</span> : null}
    </>
  );
}

/** Chooses one of the labels; nothing where no account has one. */
function LabelSelect(props: { label: string; choose: (label: string) => void }) {
  const labels = useLabels().data ?? [];
  const isKnown = labels.some(({ label }) => label === props.label);
  if (labels.length === 0 && props.label === '') return null;
  return (
    <select
      className="label-select"
      aria-label="Only accounts with the label"
      value={props.label}
      onChange={({ target }) => props.choose(target.value)}
    >
      <option value="">All labels</option>
      {props.label !== '' && !isKnown ? <option value={props.label}>{props.label}</option> : null}
      {labels.map(({ label, accounts }) => (
        <option key={label} value={label}>
          {label} ({formatNumber(accounts, 0)})
        </option>
      ))}
    </select>
  );
}
