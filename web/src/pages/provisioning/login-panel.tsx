import { type ReactNode, useState } from 'react';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Form } from '../../components/form.tsx';
import { FormLoading } from '../../components/form-loading.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { ApiError } from '../../lib/api.ts';
import { useTyped } from '../../lib/edits.ts';
import { formatPercent } from '../../lib/format.ts';
import { lazily } from '../../lib/lazily.tsx';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import { type AccountInformation, type ClientRecord, useLogin } from './use-platform.ts';
import { useWatched } from './use-watched.ts';

const WatchDialog = lazily(
  async () => (await import('./watch-dialog.tsx')).WatchDialog,
  FormLoading,
);

export function LoginPanel({ profile }: { profile: ProfileRecord }) {
  const word = useLocation().query.get('login') ?? '';
  const login = /^[1-9]\d{0,14}$/.test(word) ? Number(word) : undefined;
  const typed = useTyped({ login: word });
  const draft = typed.form.login;
  const { data, error, refetch, isFetching } = useLogin(profile, login);
  const [isWatching, setWatching] = useState(false);
  const isNumber = /^\s*[1-9]\d{0,14}\s*$/.test(draft);
  const submit = (): void => {
    if (draft.trim() === word) refetch();
    else replaceQuery({ login: draft.trim() });
  };
  return (
    <>
      <Card title="One login">
        <Form
          {...typed}
          className="provisioning-query provisioning-query-bare"
          fields={[
            {
              name: 'login',
              label: 'Login',
              hint: 'Number of the account on the platform',
              fault: draft === '' || isNumber ? undefined : 'Login must be a whole number.',
              inputMode: 'numeric',
            },
          ]}
          submit={submit}
          action="Look up"
          busy={isFetching}
          disabled={!isNumber}
        />
        {error ? <LoginError error={error} login={word} retry={refetch} /> : null}
        {isFetching && !data ? <Loading label="Loading the account" lines={5} /> : null}
      </Card>
      {data ? (
        <div className="grid provisioning-login">
          <InformationCard
            information={data.information}
            watch={<Watch profile={profile} login={login} watch={() => setWatching(true)} />}
          />
          <ClientCard user={data.user} />
        </div>
      ) : null}
      {data && isWatching ? (
        <WatchDialog
          profile={profile}
          user={data.user}
          information={data.information}
          close={() => setWatching(false)}
        />
      ) : null}
    </>
  );
}

/**
 * Adds the login, or leads to its account if there is one: a second account would be judged twice.
 */
function Watch(props: { profile: ProfileRecord; login: number | undefined; watch: () => void }) {
  const may = useMay();
  const { data, error } = useWatched(props.profile, props.login);
  if (data?.watched) {
    const { id, name } = data.watched;
    return (
      <a className="button button-plain" href={path.account(id)}>
        Watched as {name}: open it
      </a>
    );
  }
  if (!may.addAccounts || (!data && !error)) return null;
  return (
    <>
      {data?.others.map(({ id, name }) => (
        <a key={id} className="hint" href={path.account(id)}>
          {name} has this login, but not through this profile
        </a>
      ))}
      <Button onClick={props.watch}>Watch this account</Button>
    </>
  );
}

function LoginError(props: { error: unknown; login: string; retry: () => void }) {
  const isUnknown = props.error instanceof ApiError && props.error.status === 404;
  if (!isUnknown) return <ErrorNote error={props.error} retry={props.retry} />;
  return (
    <p className="note" role="status">
      The platform has no account with the login {props.login}.
    </p>
  );
}

function InformationCard(props: { information: AccountInformation; watch: ReactNode }) {
  const { information } = props;
  const { currency, margin, marginLevel } = information;
  const amounts = [
    ['Balance', information.balance],
    ['Equity', information.equity],
    ['Margin', information.margin],
    ['Free margin', information.freeMargin],
    ['Credit', information.credit],
  ] as const;
  return (
    <Card
      title="Account information"
      hint="As it stands now"
      actions={
        <span className="row">
          <Badge tone={information.tradeAllowed ? 'good' : 'warn'}>
            {information.tradeAllowed ? 'Trading allowed' : 'Trading not allowed'}
          </Badge>
          {props.watch}
        </span>
      }
    >
      <Facts
        of={[
          ...amounts.map(
            ([title, value]): Fact => [
              title,
              <Money key={title} value={value} currency={currency} />,
            ],
          ),
          ['Margin level', margin > 0 ? formatPercent(marginLevel) : 'no margin in use'],
          ['Leverage', `1:${information.leverage}`],
          ['Positions', information.marginMode.endsWith('HEDGING') ? 'hedging' : 'netting'],
          ['Broker', information.broker || '–'],
        ]}
      />
    </Card>
  );
}

function ClientCard({ user }: { user: ClientRecord }) {
  return (
    <Card title="Client record" hint="Empty fields of the platform are left out">
      <Facts
        of={[
          ['Name', user.name],
          ['Login', user.login],
          ['Group', user.group],
          ['E-mail', user.email],
          ['Telephone', user.phone],
          ['Address', [user.address, user.zip, user.city].filter(Boolean).join(', ')],
          ['State', user.state],
          ['Country', user.country],
          ['Client id', user.clientId],
          ['Lead source', user.leadSource],
          ['Lead campaign', user.leadCampaign],
        ]}
      />
    </Card>
  );
}
