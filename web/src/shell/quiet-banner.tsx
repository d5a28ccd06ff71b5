import type { readinessOperation } from '../../../src/contract/operations/system.ts';
import { useRead } from '../lib/use-operation.ts';

/** It changes with a restart only. */
const ASK_EVERY_MS = 60_000;

/** Says that the server holds back what others would notice, as on a restored copy. */
export function QuietBanner() {
  const { data } = useRead<typeof readinessOperation>(
    ['readiness'],
    'GET /health/ready',
    {},
    { refetchInterval: ASK_EVERY_MS, retry: false },
  );
  if (!data?.quietJobs) return null;
  return (
    <div className="quiet-banner" role="status">
      <strong>Quiet.</strong> E-mails, webhooks, actions at breaches and readings of platforms wait
      until the server is started without <code>PLIMSOLL_QUIET_JOBS</code>.
    </div>
  );
}
