import { formatAge } from '../lib/format.ts';
import { Badge } from './badge.tsx';

type Clock = { clockOff: boolean; clockOffsetSeconds?: number | undefined };

/** The difference between an account's clock and the server's, if they disagree. */
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
