import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Money } from '../../components/money.tsx';
import { countOf, formatMoney, formatShort } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { monthAfter, monthBefore, weeksOf } from './months.ts';

type Day = AccountMetricsRecord['dailyGrowth'][number];

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Each day of a month by what it booked; a day leads to its trades. */
export function DayCalendar(props: { account: AccountRecord; metrics: AccountMetricsRecord }) {
  const { account, metrics } = props;
  const days = new Map(metrics.dailyGrowth.map((day) => [day.date, day]));
  const first = metrics.dailyGrowth[0]?.date.slice(0, 7);
  const last = metrics.dailyGrowth.at(-1)?.date.slice(0, 7);
  const asked = useLocation().query.get('month') ?? '';
  if (first === undefined || last === undefined) return null;
  const month = asked >= first && asked <= last ? asked : last;
  const sum = metrics.monthlyAnalytics.find(({ date }) => date === month);
  const show = (date: string) => replaceQuery({ month: date === last ? undefined : date });
  return (
    <Card
      title={`Days of ${month}`}
      hint={`Booked each day, broker time, in ${account.currency}; a day leads to its trades`}
      actions={
        <>
          <Button size="small" disabled={month <= first} onClick={() => show(monthBefore(month))}>
            Month before
          </Button>
          <Button size="small" disabled={month >= last} onClick={() => show(monthAfter(month))}>
            Month after
          </Button>
        </>
      }
    >
      <table className="calendar">
        <caption className="visually-hidden">Days of {month} by profit</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((date, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a place of the week
                <td key={index}>
                  {date ? <OneDay account={account} date={date} day={days.get(date)} /> : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hint">
        {sum ? (
          <>
            The month: <Money value={sum.profit} currency={account.currency} signed />,{' '}
            {countOf(sum.trades, 'trade')}
          </>
        ) : (
          'Nothing was booked in this month'
        )}
      </p>
    </Card>
  );
}

/** The day of the month, and what it booked. */
function OneDay(props: { account: AccountRecord; date: string; day: Day | undefined }) {
  const { account, date, day } = props;
  const number = Number(date.slice(8));
  if (!day) return <span className="calendar-day">{number}</span>;
  const { profit, trades } = day;
  const tone = profit < 0 ? 'bad' : profit > 0 ? 'good' : '';
  const words = `${date}: ${formatMoney(profit, account.currency, true)}, ${countOf(trades, 'trade')}`;
  return (
    <a
      className={`calendar-day calendar-${tone || 'even'}`}
      href={path.account(account.id, { tab: 'trades', from: date, until: date })}
      title={words}
    >
      <span>{number}</span>
      <span className={`number ${tone}`}>{formatShort(profit, account.currency)}</span>
    </a>
  );
}
