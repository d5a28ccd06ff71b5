import { type Counter, useGroupCounters } from '../../desk/use-counters.ts';
import { useConnection } from '../../lib/connection.ts';
import { formatNumber } from '../../lib/format.ts';
import { useGroup } from '../../lib/group.ts';
import { path } from '../../lib/path.ts';
import { useLocation } from '../../lib/route.ts';

const TILES: { counter: Counter; title: string; hint: string; tone: 'bad' | 'warn' }[] = [
  {
    counter: 'exceeded',
    title: 'Exceeded',
    hint: 'Broke a loss limit in this period',
    tone: 'bad',
  },
  { counter: 'near', title: 'Near', hint: 'Three quarters of a limit used', tone: 'warn' },
  { counter: 'stale', title: 'Stale', hint: 'No snapshot for five minutes', tone: 'bad' },
  {
    counter: 'unwatched',
    title: 'Unwatched',
    hint: 'In use without a loss limit',
    tone: 'bad',
  },
  { counter: 'clockOff', title: 'Clock off', hint: 'Broker and server disagree', tone: 'bad' },
];

/** How many accounts need attention, each a filter of the list below. */
export function CounterTiles() {
  const data = useGroupCounters(useGroup());
  const shown = useLocation().query.get('show');
  const isUp = useConnection().state === 'up';
  return (
    <nav className="tiles" aria-label="Accounts that need attention">
      {TILES.map(({ counter, title, hint, tone }) => {
        const count = data?.[counter];
        const isShown = shown === counter;
        return (
          <a
            key={counter}
            className={`card tile ${count && isUp ? `tile-${tone}` : ''}`}
            href={path.risk(isShown ? {} : { show: counter })}
            aria-current={isShown ? 'true' : undefined}
          >
            <span className="tile-count number">
              {count === undefined ? '–' : formatNumber(count, 0)}
            </span>
            <span className="tile-title">{title}</span>
            <span className="hint">{hint}</span>
          </a>
        );
      })}
    </nav>
  );
}
