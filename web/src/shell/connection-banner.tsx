import { useConnection } from '../lib/connection.ts';
import { formatAge } from '../lib/format.ts';
import { useNow } from '../lib/now.ts';

/** Says that figures are old, as long as no new ones come in. */
export function ConnectionBanner() {
  const connection = useConnection();
  if (connection.state === 'up') return null;
  const isLost = connection.state === 'lost';
  return (
    <div className="connection-banner" role="alert">
      <strong>{isLost ? 'Connection lost.' : 'Plimsoll is not ready.'}</strong>{' '}
      {isLost ? 'Plimsoll does not answer.' : connection.message}{' '}
      <span>
        Figures on this page are <Since answeredAtMs={connection.answeredAtMs} /> old or more.
        Retrying automatically.
      </span>
    </div>
  );
}

/** Ticks silently: the banner is read out once, not each second. */
function Since({ answeredAtMs }: { answeredAtMs: number }) {
  const nowMs = useNow();
  return (
    <span className="number" aria-live="off">
      {formatAge((nowMs - answeredAtMs) / 1000)}
    </span>
  );
}
