import { Age } from '../components/age.tsx';
import { Badge } from '../components/badge.tsx';
import { Bar } from '../components/bar.tsx';
import { ClockBadge } from '../components/clock-badge.tsx';
import { Money } from '../components/money.tsx';
import { formatNumber } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { ENROLMENT_STATES } from '../programs/program-words.ts';
import { titleOfPlatform } from './platforms.ts';
import type { Row } from './use-overview.ts';

export function NameCell({ account }: { account: Row }) {
  return (
    <span className="two-lines">
      <a href={path.account(account.id)}>{account.name}</a>
      <span className="hint name-hint">
        <Labels labels={account.labels} />
        {account.login} · {account.broker} · {titleOfPlatform(account.platform)}
      </span>
    </span>
  );
}

const LABELS_SHOWN = 2;

/** The first labels of an account; the others are shown on hover. */
function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  const more = labels.length - LABELS_SHOWN;
  return (
    <span className="name-labels" title={labels.join(', ')}>
      {labels.slice(0, LABELS_SHOWN).map((label) => (
        <Badge key={label} tone="accent">
          {label}
        </Badge>
      ))}
      {more > 0 ? <span className="hint">+{more}</span> : null}
    </span>
  );
}

export function AgeCell({ account }: { account: Row }) {
  if (account.ageSeconds === undefined) return <None />;
  return (
    <span title={`${account.lastUpdate} broker time`}>
      <ClockBadge clock={account} />{' '}
      <Age ageSeconds={account.ageSeconds} answeredAtMs={account.answeredAtMs} />
    </span>
  );
}

/** The limit that is nearest, and how much of it is used now. */
export function LimitCell({ account }: { account: Row }) {
  const { worstTracker: limit } = account;
  if (!limit) return <Unwatched account={account} />;
  return (
    <span className="two-lines">
      <span className="limit-name">
        <span>{limit.name}</span>
        {limit.exceeded ? <Badge tone="bad">Exceeded</Badge> : null}
      </span>
      <Bar
        used={limit.exceeded ? Math.max(1.0001, limit.used) : limit.used}
        label={`${limit.name}: used part of the limit`}
        text={`${formatNumber(limit.used * 100, 0)} %`}
      />
    </span>
  );
}

export function Unwatched({ account }: { account: Row }) {
  const { endedEnrolment: ended } = account;
  if (!account.unwatched)
    return <span className="hint">{account.trackers > 0 ? '–' : 'No tracker'}</span>;
  return (
    <span className="two-lines">
      <Badge tone="warn">Unwatched</Badge>
      {ended ? (
        <a
          className="hint"
          href={path.account(account.id, { tab: 'enrolments', enrolment: ended.id })}
        >
          “{ended.phaseName}” has ended: {ENROLMENT_STATES[ended.state].title.toLowerCase()}
        </a>
      ) : (
        <a className="hint" href={path.account(account.id, { tab: 'trackers' })}>
          {account.trackers > 0 ? 'Nothing is measured yet' : 'Set a loss limit'}
        </a>
      )}
    </span>
  );
}

/** An amount of the account, or a dash. */
export function AmountCell(props: {
  account: Row;
  value: number | undefined;
  signed?: boolean;
  bare?: boolean;
}) {
  const { account, value } = props;
  if (value === undefined) return <None />;
  return (
    <Money
      value={value}
      currency={account.currency}
      signed={props.signed ?? false}
      bare={props.bare ?? false}
    />
  );
}

/** Figures of an old snapshot are grey. */
export const rowClassOf = ({ state }: Row): string =>
  state === 'stale' || state === 'undeployed' ? 'vt-old' : '';

export const openProfitOf = ({ equity, balance }: Row): number | undefined =>
  equity === undefined || balance === undefined ? undefined : equity - balance;

const None = () => (
  <span className="muted" title="No snapshot yet">
    –
  </span>
);
