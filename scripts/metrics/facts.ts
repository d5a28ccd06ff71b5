import { defineMetrics } from './metric.ts';

/** Incoming data, its folding, and the work of the processes. */
export const FACT_METRICS = defineMetrics({
  plimsoll_build_info: {
    type: 'gauge',
    shows: 'always 1; `version` is the running version',
    watch: 'more than one version for six hours',
    rules: [
      {
        alert: 'PlimsollVersions',
        expr: 'count(count by (version) (plimsoll_build_info{job="plimsoll"})) > 1',
        for: '6h',
        severity: 'warning',
        summary: 'Several versions run side by side',
        description: 'A rollout has stopped halfway. Bring all processes to one version.',
      },
    ],
  },
  plimsoll_quiet_jobs: {
    type: 'gauge',
    shows: '1 while `PLIMSOLL_QUIET_JOBS` holds back e-mails, webhooks and platforms',
    watch: '1 on a server in use',
    rules: [
      {
        alert: 'PlimsollQuiet',
        expr: 'max(plimsoll_quiet_jobs{job="plimsoll"}) > 0',
        for: '1h',
        severity: 'warning',
        summary: 'Plimsoll sends no e-mails and webhooks, and does nothing on platforms',
        description:
          'PLIMSOLL_QUIET_JOBS is on, as after a restore. Start the processes without it when you have seen what waits.',
      },
    ],
  },
  plimsoll_clock_offset_seconds: {
    type: 'gauge',
    shows: 'by how much the clock of this process is ahead of that of the database; 0 on SQLite',
    watch: 'beyond five seconds either way',
    rules: [
      {
        alert: 'PlimsollClockDiffers',
        expr: 'max by (instance) (abs(plimsoll_clock_offset_seconds{job="plimsoll"})) > 5',
        for: '1m',
        severity: 'critical',
        summary:
          'The clocks of {{ $labels.instance }} and of the database differ by {{ $value | humanizeDuration }}',
        description:
          'Receipts, tokens and signatures of webhooks are judged by the clock of the process. Synchronise both with the same source of time.',
      },
    ],
  },
  plimsoll_http_request_seconds: {
    type: 'histogram',
    shows: 'requests by `operation` and `status`',
    watch: 'any `status="500"`; a share of `"503"` above 5 %',
    rules: [
      {
        alert: 'PlimsollFails',
        expr: 'sum by (operation) (rate(plimsoll_http_request_seconds_count{job="plimsoll",status="500"}[5m])) > 0',
        for: '5m',
        severity: 'warning',
        summary: '{{ $labels.operation }} fails',
        description: 'Answers with status 500. The log has each under its errorId, with the cause.',
      },
      {
        alert: 'PlimsollUnavailable',
        expr: 'sum(rate(plimsoll_http_request_seconds_count{job="plimsoll",status="503"}[5m])) / sum(rate(plimsoll_http_request_seconds_count{job="plimsoll"}[5m])) > 0.05',
        for: '2m',
        severity: 'critical',
        summary: '{{ $value | humanizePercentage }} of all requests are answered 503',
        description: 'The database is away, or a queue is full. Senders keep their data and retry.',
      },
    ],
  },
  plimsoll_user_request_seconds_total: {
    type: 'counter',
    shows:
      'how long requests of a `user` took, the first 1,000 users that a process saw; those beyond them as `others`',
  },
  plimsoll_user_request_bytes_total: {
    type: 'counter',
    shows: 'bytes of the bodies that they sent',
  },
  plimsoll_event_loop_delay_seconds: {
    type: 'histogram',
    shows: 'how long pieces of work held the event loop, and so everybody',
    watch: 'with `nodejs_eventloop_lag_p99_seconds`: above half a second',
    rules: [
      {
        alert: 'PlimsollBusy',
        expr: 'max by (instance) (nodejs_eventloop_lag_p99_seconds{job="plimsoll"}) > 0.5',
        for: '5m',
        severity: 'warning',
        summary: 'Plimsoll on {{ $labels.instance }} has more to do than it can',
        description:
          'Its event loop is {{ $value | humanizeDuration }} late. Start another process.',
      },
    ],
  },
  plimsoll_snapshots_accepted_total: {
    type: 'counter',
    shows: 'snapshots from clients that were acknowledged',
    watch: 'it stops growing',
    rules: [
      {
        alert: 'PlimsollSnapshotsStop',
        expr: 'sum(rate(plimsoll_snapshots_accepted_total{job="plimsoll"}[5m])) == 0 and max_over_time(sum(rate(plimsoll_snapshots_accepted_total{job="plimsoll"}[5m]))[1h:1m]) > 0',
        for: '5m',
        severity: 'warning',
        summary: 'No snapshots come in any more',
        description:
          'No snapshots arrive: check the senders and the way to this server. Expected where feeds end with the market.',
      },
    ],
  },
  plimsoll_snapshots_late_total: {
    type: 'counter',
    shows: 'those of them that were older than one before',
    watch: 'more than half are late: a sender holds back or repeats',
    rules: [
      {
        alert: 'PlimsollSnapshotsLate',
        expr: 'sum(rate(plimsoll_snapshots_late_total{job="plimsoll"}[15m])) / sum(rate(plimsoll_snapshots_accepted_total{job="plimsoll"}[15m])) > 0.5',
        for: '15m',
        severity: 'warning',
        summary: '{{ $value | humanizePercentage }} of all snapshots are older than one before',
        description:
          'A sender holds back or repeats, or its clock went back. An account shows the newest broker time.',
      },
    ],
  },
  plimsoll_snapshot_bodies_refused_total: {
    type: 'counter',
    shows:
      'whole bodies that were refused, by `reason`: `invalid`, `unknownAccount`, `tooLarge`, `keyReused`, `busy`',
    watch: '`busy`: more comes in than can be handled',
    rules: [
      {
        alert: 'PlimsollSnapshotsWait',
        expr: 'sum(rate(plimsoll_snapshot_bodies_refused_total{job="plimsoll",reason="busy"}[5m])) > 0',
        for: '5m',
        severity: 'warning',
        summary: 'More snapshots come than can be taken in',
        description:
          'Senders get 503 and retry. Look at the disk of the journal; start another process.',
      },
    ],
  },
  plimsoll_folded_snapshots_total: {
    type: 'counter',
    shows: 'snapshots folded',
  },
  plimsoll_fold_delay_seconds: {
    type: 'histogram',
    shows: 'from receipt of an entry to its fold',
    watch: 'above a second: breaches are reported late',
    rules: [
      {
        alert: 'PlimsollFoldsLate',
        expr: 'histogram_quantile(0.99, sum by (le) (rate(plimsoll_fold_delay_seconds_bucket{job="plimsoll"}[5m]))) > 1',
        for: '2m',
        severity: 'critical',
        summary: 'Snapshots wait {{ $value | humanizeDuration }} until they are folded',
        description: 'Breaches are reported that late. Look at processor, disk and database.',
      },
    ],
  },
  plimsoll_checkpoint_seconds: {
    type: 'histogram',
    shows: 'duration of a checkpoint',
    watch: 'above two seconds: the disk is slow',
    rules: [
      {
        alert: 'PlimsollSlowCheckpoints',
        expr: 'histogram_quantile(0.99, sum by (le) (rate(plimsoll_checkpoint_seconds_bucket{job="plimsoll"}[10m]))) > 2',
        for: '10m',
        severity: 'warning',
        summary: 'Checkpoints take {{ $value | humanizeDuration }}',
        description: 'The disk of the database is slow. A restart would take longer to catch up.',
      },
    ],
  },
  plimsoll_owned_partitions: {
    type: 'gauge',
    shows: 'partitions that this process folds',
    watch: 'the sum over all processes falls',
    rules: [
      {
        alert: 'PlimsollPartitionUnowned',
        expr: 'sum(plimsoll_owned_partitions{job="plimsoll"}) < max_over_time(sum(plimsoll_owned_partitions{job="plimsoll"})[1h:1m])',
        for: '1m',
        severity: 'critical',
        summary: 'Some partitions are not folded by any process',
        description:
          'Breaches of their accounts are not found. An engine is gone and no other takes over: look at the logs of the engines.',
      },
    ],
  },
  plimsoll_partition_lag_commits: {
    type: 'gauge',
    shows: 'commits of the journal that a `partition` of this process has not folded yet',
    watch: 'above 5 000',
    rules: [
      {
        alert: 'PlimsollFoldsBehind',
        expr: 'max by (instance, partition) (plimsoll_partition_lag_commits{job="plimsoll"}) > 5000',
        for: '2m',
        severity: 'critical',
        summary: 'Partition {{ $labels.partition }} is {{ $value }} commits behind',
        description:
          'Breaches of its accounts are found late. Look at processor, disk and database; start another engine.',
      },
    ],
  },
  plimsoll_checkpoint_age_seconds: {
    type: 'gauge',
    shows: 'how long a `partition` of this process has had folded data that is not stored',
    watch: 'above two minutes',
    rules: [
      {
        alert: 'PlimsollCheckpointOld',
        expr: 'max by (instance, partition) (plimsoll_checkpoint_age_seconds{job="plimsoll"}) > 120',
        for: '1m',
        severity: 'warning',
        summary:
          'Partition {{ $labels.partition }} was last stored {{ $value | humanizeDuration }} ago',
        description:
          'The database takes no checkpoints, or too slowly. A restart would take as long to catch up.',
      },
    ],
  },
  plimsoll_stalled_partitions: {
    type: 'gauge',
    shows: 'partitions here that are stuck for a reason other than an outage',
    watch: 'above 0',
    rules: [
      {
        alert: 'PlimsollPartitionStalled',
        expr: 'sum(plimsoll_stalled_partitions{job="plimsoll"}) > 0',
        for: '30s',
        severity: 'critical',
        summary: '{{ $value }} partitions stand still',
        description:
          "An entry of the journal can't be folded. Nothing is lost, but breaches of these accounts are not found. The log says why; report it.",
      },
    ],
  },
  plimsoll_quarantined_accounts: {
    type: 'gauge',
    shows:
      'accounts here with an entry that could not be folded; `plimsoll journal list` names them',
    watch: 'above 0',
    rules: [
      {
        alert: 'PlimsollQuarantine',
        expr: 'sum(plimsoll_quarantined_accounts{job="plimsoll"}) > 0',
        for: '30s',
        severity: 'critical',
        summary: '{{ $value }} accounts are not folded',
        description:
          'Breaches of these accounts are not found. plimsoll journal list names them and the reason; retry after an upgrade that mends it, or skip.',
      },
    ],
  },
  plimsoll_accounts: {
    type: 'gauge',
    shows:
      'accounts in use by `state`: `live`, `stale` (no snapshot came in for five minutes), `clockOff` (broker clock and server do not agree), `unwatched` (no loss limit is measured)',
    watch: 'more `clockOff`, `stale` or `unwatched` than before',
    rules: [
      {
        alert: 'PlimsollClockOff',
        expr: 'max(plimsoll_accounts{job="plimsoll",state="clockOff"}) > 0',
        for: '1m',
        severity: 'warning',
        summary: 'The clocks of {{ $value }} accounts and of the server do not agree',
        description:
          'Their days begin at the wrong moment. Correct the broker clock of the accounts (filter clockOff) or, if most are off by the same, the clock of the server.',
      },
      {
        alert: 'PlimsollServerClock',
        expr: 'max(plimsoll_accounts{job="plimsoll",state="clockOff"}) > 2 and max(plimsoll_accounts{job="plimsoll",state="clockOff"}) > 0.5 * max(plimsoll_accounts{job="plimsoll",state="live"})',
        for: '1m',
        severity: 'critical',
        summary: 'The clock of the server seems to be wrong',
        description:
          'Most accounts that are fed are off. Check the time of this machine and of the database, and that it is synchronised.',
      },
      {
        alert: 'PlimsollStale',
        expr: 'max(plimsoll_accounts{job="plimsoll",state="stale"}) > min_over_time(max(plimsoll_accounts{job="plimsoll",state="stale"})[1h:1m])',
        for: '1m',
        severity: 'warning',
        summary: '{{ $value }} accounts get no snapshots any more, more than before',
        description: 'Their losses go unseen. The filter stale lists them; look at their feeds.',
      },
      {
        alert: 'PlimsollUnwatched',
        expr: 'max(plimsoll_accounts{job="plimsoll",state="unwatched"}) > min_over_time(max(plimsoll_accounts{job="plimsoll",state="unwatched"})[1h:1m])',
        for: '1m',
        severity: 'warning',
        summary: '{{ $value }} accounts in use have no loss limit, more than before',
        description:
          'Their losses are not reported. The filter unwatched lists them; plimsoll audit --action tracker.deleted says who took a limit away.',
      },
    ],
  },
});
