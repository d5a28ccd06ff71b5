/** One panel: its title, the unit of its axis, and its lines, by legend. */
export type Chart = { title: string; about: string; unit: string; queries: Record<string, string> };

const SELECTED = 'job="$job"';
/** Gauges that every process reads from the database are equal everywhere. */
const shared = (name: string, by = ''): string => `max${by}(${name}{${SELECTED}})`;
const total = (name: string, by = ''): string => `sum${by}(${name}{${SELECTED}})`;
const perSecond = (name: string, labels = SELECTED): string =>
  `rate(${name}{${labels}}[$__rate_interval])`;
const percentile = (share: number, name: string): string =>
  `histogram_quantile(${share}, sum by (le) (${perSecond(`${name}_bucket`)}))`;

/**
 * The rows of the dashboard in deploy/. A new metric is a new chart here; then run
 * scripts/write-grafana-dashboard.ts.
 */
export const ROWS: Record<string, readonly Chart[]> = {
  Requests: [
    {
      title: 'Requests',
      about: 'Answers per second, by status',
      unit: 'reqps',
      queries: {
        '{{status}}': `sum by (status) (${perSecond('plimsoll_http_request_seconds_count')})`,
      },
    },
    {
      title: 'Busiest operations',
      about: 'Answers per second',
      unit: 'reqps',
      queries: {
        '{{operation}}': `topk(8, sum by (operation) (${perSecond('plimsoll_http_request_seconds_count')}))`,
      },
    },
    {
      title: 'Time to answer',
      about: 'Long polls wait on purpose',
      unit: 's',
      queries: {
        median: percentile(0.5, 'plimsoll_http_request_seconds'),
        '99 %': percentile(0.99, 'plimsoll_http_request_seconds'),
      },
    },
    {
      title: 'Failures',
      about: 'Share of answers with status 500 and 503',
      unit: 'percentunit',
      queries: {
        '{{status}}':
          `sum by (status) (${perSecond('plimsoll_http_request_seconds_count', `${SELECTED},status=~"500|503"`)})` +
          ` / ignoring(status) group_left sum(${perSecond('plimsoll_http_request_seconds_count')})`,
      },
    },
  ],
  'Live risk': [
    {
      title: 'Snapshots taken in',
      about: 'Per second; late ones are older than one before',
      unit: 'ops',
      queries: {
        accepted: `sum(${perSecond('plimsoll_snapshots_accepted_total')})`,
        late: `sum(${perSecond('plimsoll_snapshots_late_total')})`,
      },
    },
    {
      title: 'Snapshots refused',
      about: 'Whole bodies per second, by reason',
      unit: 'ops',
      queries: {
        '{{reason}}': `sum by (reason) (${perSecond('plimsoll_snapshot_bodies_refused_total')})`,
      },
    },
    {
      title: 'Snapshots folded',
      about: 'Per second, all engines',
      unit: 'ops',
      queries: { snapshots: `sum(${perSecond('plimsoll_folded_snapshots_total')})` },
    },
    {
      title: 'From receipt to fold',
      about: 'Above a second breaches are told late',
      unit: 's',
      queries: {
        median: percentile(0.5, 'plimsoll_fold_delay_seconds'),
        '99 %': percentile(0.99, 'plimsoll_fold_delay_seconds'),
      },
    },
    {
      title: 'Checkpoints',
      about: 'How long they take; above a second the disk is slow',
      unit: 's',
      queries: { '99 %': percentile(0.99, 'plimsoll_checkpoint_seconds') },
    },
    {
      title: 'Partitions',
      about: 'Owned by a process, and those of them that stand still',
      unit: 'short',
      queries: {
        'owned, {{instance}}': total('plimsoll_owned_partitions', ' by (instance) '),
        stalled: total('plimsoll_stalled_partitions'),
      },
    },
  ],
  'Events, mail and platforms': [
    {
      title: 'Waiting for events',
      about: 'Long polls and streams, by process',
      unit: 'short',
      queries: { '{{instance}}': total('plimsoll_waiting_pollers', ' by (instance) ') },
    },
    {
      title: 'Events',
      about: 'Per second, by kind',
      unit: 'ops',
      queries: { '{{kind}}': `sum by (kind) (${perSecond('plimsoll_events_total')})` },
    },
    {
      title: 'Webhooks',
      about: 'Requests per second, by result',
      unit: 'ops',
      queries: {
        '{{result}}': `sum by (result) (${perSecond('plimsoll_webhook_deliveries_total')})`,
      },
    },
    {
      title: 'Not delivered',
      about: 'Webhook events that were given up, and mail',
      unit: 'short',
      queries: {
        'dead letters': shared('plimsoll_webhook_dead_letters'),
        'mail {{state}}': shared('plimsoll_mails', ' by (state) '),
      },
    },
    {
      title: 'Age of the oldest reading',
      about: 'Of accounts that are read from their platform',
      unit: 's',
      queries: { oldest: shared('plimsoll_sync_lag_seconds') },
    },
    {
      title: 'Accounts read from platforms',
      about: 'All, those whose last reading failed, and those that differ from their platform',
      unit: 'short',
      queries: {
        read: shared('plimsoll_sync_accounts'),
        failing: shared('plimsoll_sync_failing_accounts'),
        differing: shared('plimsoll_sync_differing_accounts'),
      },
    },
  ],
  Processes: [
    {
      title: 'Memory',
      about: 'Resident, by process',
      unit: 'bytes',
      queries: { '{{instance}}': total('process_resident_memory_bytes', ' by (instance) ') },
    },
    {
      title: 'Processor',
      about: 'Of one processor, by process',
      unit: 'percentunit',
      queries: { '{{instance}}': `sum by (instance) (${perSecond('process_cpu_seconds_total')})` },
    },
    {
      title: 'Event loop',
      about: 'How late it is, 99 %',
      unit: 's',
      queries: {
        '{{instance}}': `max by (instance) (nodejs_eventloop_lag_p99_seconds{${SELECTED}})`,
      },
    },
    {
      title: 'Open files',
      about: 'Files and connections, by process',
      unit: 'short',
      queries: { '{{instance}}': total('process_open_fds', ' by (instance) ') },
    },
  ],
};
