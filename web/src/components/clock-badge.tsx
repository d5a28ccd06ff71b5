import { formatAge } from '../lib/format.ts';
import { Badge } from './badge.tsx';

type Clock = { clockOff: boolean; clockOffsetSeconds?: number | undefined };

/** By how much an account's clock and that of the server differ, where they do not agree. */
export function ClockBadge({ clock: { clockOff, clockOffsetSeconds = 0 } }: { clock: Clock }) {
  if (!clockOff) return null;
  const minutes = Math.round(Math.abs(clockOffsetSeconds) / 60);
  return (
    <span title="Broker time of its snapshots less when they came in. The broker clock of the account is set wrongly or, where most accounts are off by the same, the clock of the server.">
      <Badge tone="warn">
        Clock {clockOffsetSeconds > 0 ? '+' : '−'}
        {formatAge(minutes * 60)}
      </Badge>
    </span>
  );
}
