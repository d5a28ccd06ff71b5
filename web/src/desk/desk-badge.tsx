import { useCurrentToken } from '../shell/use-current-token.ts';
import { BLIND, useCounters } from './use-counters.ts';
import { useNewestIncidents } from './use-incidents.ts';

/** The server counts up to this number. */
const MOST = 1000;

/** In the navigation: how many incidents are open, or that accounts need attention. */
export function DeskBadge() {
  const isUser = useCurrentToken()?.userId !== undefined;
  const open = useNewestIncidents(isUser).data?.open ?? 0;
  const counters = useCounters(isUser).data;
  const neglected = BLIND.reduce((sum, counter) => sum + (counters?.[counter] ?? 0), 0);
  if (open === 0 && neglected === 0) return null;
  return (
    <span className={`desk-badge ${open > 0 ? 'desk-badge-bad' : 'desk-badge-warn'}`}>
      {open > 0 ? (
        <>
          {open >= MOST ? `${MOST}+` : open}
          <span className="visually-hidden"> open incidents</span>
        </>
      ) : (
        <>
          {neglected}
          <span className="visually-hidden"> accounts stale, unwatched or with a wrong clock</span>
        </>
      )}
    </span>
  );
}
