import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  createTrackerOperation,
  NewTracker,
  previewTrackerOperation,
} from '../../../src/contract/operations/trackers.ts';
import { AccountChoice, type Chosen } from '../accounts/account-choice.tsx';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { call } from '../lib/api.ts';
import { countOf } from '../lib/format.ts';
import { OutcomeSummary, type Preview } from './outcome-summary.tsx';
import './rules.css';
import { describeRule, hasMoney } from './rule-words.ts';
import { type Outcome, useEach } from './use-each.ts';

const TRACKERS = '/users/current/accounts/:accountId/trackers' as const;

/** Tries a rule on the history of accounts, and applies it to the chosen ones. */
export function ApplyRuleDialog(props: {
  rule: NewTracker;
  /** Of its amounts. */
  currency: string | undefined;
  /** The account whose rule it was. */
  except?: string;
  close: () => void;
}) {
  const { rule, currency = '', close } = props;
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const { trial, creation, create } = useApplication(rule);
  const isBusy = trial.isBusy || creation.isBusy;
  const accounts = countOf(chosen.size, 'account');
  return (
    <Dialog title={`“${rule.name}” for accounts`} close={close} wide>
      <div className="stack">
        <p className="rule-words">{describeRule(rule, currency)}</p>
        {hasMoney(rule) ? (
          <p className="hint">
            Its amounts are in {currency}: only accounts in {currency} are listed.
          </p>
        ) : null}
        <AccountChoice
          except={props.except}
          currency={hasMoney(rule) ? currency : undefined}
          chosen={chosen}
          choose={setChosen}
          isFixed={isBusy}
          tell={(id) => (
            <Told trial={trial.outcomes.get(id)} creation={creation.outcomes.get(id)} />
          )}
        />
        <OutcomeSummary chosen={chosen} trials={trial.outcomes} creations={creation.outcomes} />
        <div className="actions">
          <Button
            busy={trial.isBusy}
            disabled={isBusy || chosen.size === 0}
            onClick={() => void trial.run([...chosen.keys()])}
          >
            Try on their history
          </Button>
          <Button
            kind="primary"
            busy={creation.isBusy}
            disabled={isBusy || chosen.size === 0}
            onClick={() => void create([...chosen.keys()])}
          >
            Watch {accounts}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Tries the rule on accounts, and creates trackers of it, one account after another. */
function useApplication(rule: NewTracker) {
  const queries = useQueryClient();
  const trial = useEach((accountId, signal) =>
    call<typeof previewTrackerOperation>(
      `POST ${TRACKERS}/preview`,
      { params: { accountId }, body: rule, onlyReads: true },
      signal,
    ),
  );
  const creation = useEach((accountId, signal) =>
    call<typeof createTrackerOperation>(
      `POST ${TRACKERS}`,
      { params: { accountId }, body: rule },
      signal,
    ),
  );
  const create = async (accountIds: string[]): Promise<void> => {
    await creation.run(accountIds);
    await queries.invalidateQueries({ queryKey: ['account'] });
    await queries.invalidateQueries({ queryKey: ['accounts'] });
  };
  return { trial, creation, create };
}

function Told(props: {
  trial: Outcome<Preview> | undefined;
  creation: Outcome<unknown> | undefined;
}) {
  const { trial, creation } = props;
  if (creation) {
    if ('done' in creation) return <Badge tone="good">Watching</Badge>;
    return <Failed error={creation.error} />;
  }
  if (!trial) return null;
  if ('error' in trial) return <Failed error={trial.error} />;
  const { events, periods, seenBy } = trial.done;
  if (periods.length === 0) return <span className="muted">No history to try it on</span>;
  if (events.length === 0) {
    return (
      <Badge tone="good">
        Would never have fired{seenBy === 'deals' ? ', by closed trades' : ''}
      </Badge>
    );
  }
  return (
    <Badge tone="warn">
      Would have fired {countOf(events.length, 'time')} in {countOf(periods.length, 'period')}
      {seenBy === 'deals' ? ', by closed trades' : ''}
    </Badge>
  );
}

const Failed = ({ error }: { error: unknown }) => (
  <span className="field-error">{error instanceof Error ? error.message : String(error)}</span>
);
