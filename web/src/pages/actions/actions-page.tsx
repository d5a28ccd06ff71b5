import type { BreachActionState } from '../../../../src/words/actions.ts';
import { ActionList } from '../../actions/action-list.tsx';
import { ActionSwitch } from '../../actions/action-switch.tsx';
import { STATES } from '../../actions/action-words.ts';
import { useActionState, useActions, useRetryActions } from '../../actions/use-actions.ts';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Page } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';

/** All actions of trackers on platforms, and the switch that stops them. */
export function ActionsPage() {
  const may = useMay();
  const { data, error, refetch } = useActionState();
  return (
    <Page
      title="Actions at breaches"
      lead="What trackers have done on platforms when a loss limit is broken"
    >
      {may.isKnown && !may.wholeUser ? (
        <Empty title="This page needs another token" action={<a href={path.risk()}>To the desk</a>}>
          Yours is of some accounts only; actions go through provisioning profiles, which are the
          whole user’s. Each incident shows the actions of its account.
        </Empty>
      ) : (
        <>
          {error ? <ErrorNote error={error} retry={refetch} /> : null}
          {data ? (
            <Card title="The switch" hint="One for all users and processes">
              <ActionSwitch enabled={data.enabled} />
            </Card>
          ) : null}
          <List />
        </>
      )}
    </Page>
  );
}

const ALL = 'all';
const CHOICES = [
  { value: ALL, title: 'All' },
  ...(['escalated', 'waiting', 'done', 'dry-run'] as const).map((value) => ({
    ...{ value, title: STATES[value].title },
  })),
];

/** As many as the server takes. */
const MOST_AT_ONCE = 200;

function List() {
  const may = useMay();
  const asked = useLocation().query.get('state');
  const chosen = CHOICES.find(({ value }) => value === asked)?.value ?? ALL;
  const actions = useActions(chosen === ALL ? {} : { state: chosen as BreachActionState });
  const retry = useRetryActions();
  const ids = (actions.rows ?? []).flatMap(({ id, state }) => (state === 'escalated' ? [id] : []));
  const shown = ids.slice(0, MOST_AT_ONCE);
  return (
    <Card
      title="Actions"
      hint="Newest first"
      flush
      actions={
        <>
          <Segmented
            legend="Which actions"
            options={CHOICES}
            value={chosen}
            choose={(value) => replaceQuery({ state: value === ALL ? undefined : value })}
          />
          {may.write && shown.length > 1 ? (
            <ConfirmButton
              kind="plain"
              question={`Try ${formatNumber(shown.length, 0)} actions again?`}
              consequence="Fix the cause first: actions that fail again are given up after some minutes."
              confirm="Try again"
              work={retry}
              subject={{ body: { ids: shown } }}
            >
              Try the {formatNumber(shown.length, 0)} shown again
            </ConfirmButton>
          ) : null}
        </>
      }
    >
      <PagedList
        pages={actions}
        what="actions"
        empty={
          chosen === ALL ? (
            <Empty title="Nothing has been done at a breach yet">
              A tracker can disable trading, close all positions or move the account when its loss
              limit is broken. Choose that where you create it, under “At the breach”.
            </Empty>
          ) : (
            <Empty title="No action is in this state" />
          )
        }
      >
        {(rows) => <ActionList label="Actions, newest first" actions={rows} withAccount />}
      </PagedList>
    </Card>
  );
}
