import type { ReactNode } from 'react';
import type {
  AccountStandingRecord,
  LimitRoomRecord,
} from '../../../../src/contract/operations/account-standing.ts';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { AccountState } from '../../components/account-state.tsx';
import { Age } from '../../components/age.tsx';
import { Badge } from '../../components/badge.tsx';
import { ClockBadge } from '../../components/clock-badge.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { LoadLine } from '../../components/load-line.tsx';
import { Money } from '../../components/money.tsx';
import { TrackerLink } from '../../components/tracker-link.tsx';
import { formatBrokerTime, formatDuration, formatMoney } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { path } from '../../lib/path.ts';
import { stateOf } from '../../programs/program-words.ts';
import { useEnrolments } from '../../programs/use-enrolments.ts';
import { useStanding } from './use-account.ts';

/** The instruments: the account's current state, and the room of each limit. */
export function StandingPanel({ account }: { account: AccountRecord }) {
  const { data, dataUpdatedAt, error, refetch } = useStanding(account.id);
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (!data) return <div className="panel panel-waiting" />;
  const isOld = data.state === 'stale' || data.state === 'undeployed';
  return (
    <section className={`card panel ${isOld ? 'panel-old' : ''}`} aria-label="Where it stands">
      <div className="panel-head">
        <AccountState
          state={data.state}
          ageSeconds={data.ageSeconds}
          answeredAtMs={dataUpdatedAt}
        />
        {data.ageSeconds === undefined ? (
          <span className="hint">Its figures come from deals and statements only.</span>
        ) : (
          <span className="hint">
            Equity and balance as of the last snapshot,{' '}
            <Age ageSeconds={data.ageSeconds} answeredAtMs={dataUpdatedAt} />,{' '}
            {data.brokerTime?.slice(0, 19)} broker time
          </span>
        )}
        <ClockBadge clock={data} />
        {data.unwatched ? <Unwatched accountId={account.id} /> : null}
      </div>
      {data.unexplainedMovements ? (
        <p className="hint">{unexplainedWords(data, account.currency)}</p>
      ) : null}
      {data.equity === undefined ? null : (
        <dl className="panel-figures">
          {figuresOf(data, account.currency).map(({ title, value }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd className="stat-value number">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {data.limits.length > 0 ? (
        <ul className="panel-limits">
          {data.limits.map((limit) => (
            <Limit
              key={limit.trackerId}
              accountId={account.id}
              limit={limit}
              currency={account.currency}
              lossPerHour={data.lossPerHour}
              answeredAtMs={dataUpdatedAt}
            />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** Why a loss would not be reported: often because the enrolment with the limits has ended. */
function Unwatched({ accountId }: { accountId: string }) {
  const ended = useEnrolments(accountId).data?.findLast(
    ({ state }) => state !== 'running' && state !== 'paused',
  );
  return (
    <span className="row">
      <Badge tone="warn">Unwatched</Badge>
      <a href={path.account(accountId, { tab: 'trackers' })}>No loss limit is measured</a>
      {ended ? (
        <a href={path.account(accountId, { tab: 'enrolments', enrolment: ended.id })}>
          “{ended.phaseName}” has ended: {stateOf(ended).title.toLowerCase()}
        </a>
      ) : null}
    </span>
  );
}

/** Movements of the balance without a known deal: they count as trading result. */
function unexplainedWords(standing: AccountStandingRecord, currency: string): string {
  const { unexplainedMovements, brokerTime = '' } = standing;
  if (!unexplainedMovements) return '';
  const { count, newest } = unexplainedMovements;
  const time = formatBrokerTime(newest.toBrokerTime, true);
  const isToday = time.slice(0, 10) === brokerTime.slice(0, 10);
  const one = `a movement of ${formatMoney(newest.money, currency, true)} at ${isToday ? time.slice(11) : time}`;
  return count === 1
    ? `There is ${one} that no deal explains yet. It counts as trading result until one does.`
    : `There are ${count} movements of the balance that no deal explains yet, the newest ${one}. They count as trading result until deals do.`;
}

function figuresOf(standing: AccountStandingRecord, currency: string) {
  const { equity, balance, dayProfit, lossPerHour } = standing;
  const money = (value: number | undefined, signed = false): ReactNode =>
    value === undefined ? '–' : <Money value={value} currency={currency} signed={signed} />;
  const open = equity === undefined || balance === undefined ? undefined : equity - balance;
  return [
    { title: 'Equity', value: money(equity) },
    { title: 'Balance', value: money(balance) },
    { title: 'Open profit', value: money(open, true) },
    { title: 'Today, without transfers', value: money(dayProfit, true) },
    ...(lossPerHour === undefined
      ? []
      : [{ title: 'Loss per hour', value: lossPerHour > 0 ? money(-lossPerHour, true) : 'none' }]),
  ];
}

function Limit(props: {
  accountId: string;
  limit: LimitRoomRecord;
  currency: string;
  lossPerHour: number | undefined;
  answeredAtMs: number;
}) {
  const { limit, currency, lossPerHour } = props;
  const nowMs = useNow();
  const { toFloor, floor, used, target, toTarget, exceeded, secondsToReset } = limit;
  const left =
    secondsToReset === undefined
      ? undefined
      : Math.max(0, secondsToReset - (nowMs - props.answeredAtMs) / 1000);
  const minutes =
    toFloor !== undefined && toFloor > 0 && lossPerHour ? (toFloor / lossPerHour) * 60 : undefined;
  return (
    <li className="panel-limit">
      <span className="row">
        <TrackerLink accountId={props.accountId} trackerId={limit.trackerId} name={limit.name} />
        {exceeded === 'drawdown' ? <Badge tone="bad">Exceeded</Badge> : null}
        {exceeded === 'profit' ? <Badge tone="good">Target reached</Badge> : null}
      </span>
      {floor !== undefined && toFloor !== undefined && used !== undefined ? (
        <>
          <LoadLine used={used} exceeded={exceeded === 'drawdown'} label={limit.name} />
          <span className="number">
            <strong>
              <Money value={Math.abs(toFloor)} currency={currency} />
            </strong>{' '}
            {toFloor < 0 ? 'beyond' : exceeded === 'drawdown' ? 'now above' : 'above'} the floor{' '}
            <span className="hint nowrap">{formatMoney(floor, currency)}</span>
          </span>
        </>
      ) : null}
      {target !== undefined && toTarget !== undefined ? (
        <span className="number">
          <Money value={Math.abs(toTarget)} currency={currency} />{' '}
          {toTarget < 0 ? 'above' : exceeded === 'profit' ? 'now below' : 'to'} the target{' '}
          <span className="hint nowrap">{formatMoney(target, currency)}</span>
        </span>
      ) : null}
      <span className="hint number">
        {left === undefined ? 'never resets' : `resets in ${formatDuration(left / 60)}`}
        {minutes === undefined ? '' : ` · at this rate ${formatDuration(minutes)} left`}
      </span>
    </li>
  );
}
