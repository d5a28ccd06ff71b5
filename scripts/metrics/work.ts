import { defineMetrics } from './metric.ts';

/** Consequences: events, webhooks, mails, actions, platforms; and the waiting work. */
export const WORK_METRICS = defineMetrics({
  plimsoll_waiting_pollers: {
    type: 'gauge',
    shows: 'requests and streams that wait for an event',
    watch: 'near 20 000, the bound of a process',
    rules: [
      {
        alert: 'PlimsollManyPollers',
        expr: 'sum by (instance) (plimsoll_waiting_pollers{job="plimsoll"}) > 15000',
        for: '5m',
        severity: 'warning',
        summary: '{{ $value }} clients wait for events on {{ $labels.instance }}',
        description: 'A process takes 20 000. Start another one.',
      },
    ],
  },
  plimsoll_followed_accounts: {
    type: 'gauge',
    shows: 'accounts whose standing is kept for streams of standings',
  },
  plimsoll_sign_ins_total: {
    type: 'counter',
    shows: 'attempts to sign a browser in, by `outcome`: `started`, `refused`',
  },
  plimsoll_sessions: {
    type: 'gauge',
    shows: 'sessions of browsers that have not ended; the same in every process',
  },
  plimsoll_places_taken: {
    type: 'gauge',
    shows:
      '[places](security.md#shares) that requests hold, by `places`: `bodyBytes`, `streams`, `standings`, `polls`, `statements`, `statistics`, `previews`, `enrolmentPreviews`, `cases`, `webhookTests`',
  },
  plimsoll_turns: {
    type: 'gauge',
    shows:
      '[turns](security.md#shares) of requests, by `kind` (`usual`, `long`) and `state` (`running`, `waiting`)',
  },
  plimsoll_turns_of_one_user: {
    type: 'gauge',
    shows: 'those turns of the user who has most, by `kind` and `state`',
  },
  plimsoll_most_stored_bytes: {
    type: 'gauge',
    shows:
      'bytes stored by the user who has most, at most a minute old; `GET /admin/users` tells who',
  },
  plimsoll_most_stored_share: {
    type: 'gauge',
    shows: 'the same as a share of `PLIMSOLL_STORED_MB_PER_USER`; 0 without a limit',
    watch: 'above 0.8: at 1 the user can add nothing more',
    rules: [
      {
        alert: 'PlimsollUserFull',
        expr: 'max(plimsoll_most_stored_share{job="plimsoll"}) > 0.8',
        for: '5m',
        severity: 'warning',
        summary: 'A user has stored {{ $value | humanizePercentage }} of what one may',
        description:
          'GET /admin/users tells who. Raise PLIMSOLL_STORED_MB_PER_USER, or ask the user to delete something.',
      },
    ],
  },
  plimsoll_statement_threads: {
    type: 'gauge',
    shows: 'threads that read a statement, or hold one that is being stored; at most 2',
    watch: '2 for a quarter of an hour: imports queue',
    rules: [
      {
        alert: 'PlimsollImportsWait',
        expr: 'max by (instance) (plimsoll_statement_threads{job="plimsoll"}) >= 2',
        for: '15m',
        severity: 'warning',
        summary: 'Imports of statements queue on {{ $labels.instance }}',
        description:
          'All threads for statements have been busy for a quarter of an hour. Start another process, or find out who imports so much.',
      },
    ],
  },
  plimsoll_waiting_snapshot_bytes: {
    type: 'gauge',
    shows: 'bytes of waiting snapshot bodies, by `stage`: `reading`, `storing`',
  },
  plimsoll_cache_bytes: {
    type: 'gauge',
    shows:
      'bytes of answers kept for repeated requests, by `cache`: `pages` (trades and charts), `statistics`, `overview`; each stays below its [bound](security.md#queues-and-memory-of-a-process)',
  },
  plimsoll_events_total: {
    type: 'counter',
    shows: 'events stored, by `kind`; after a takeover the last ones may be counted again',
  },
  plimsoll_webhook_deliveries_total: {
    type: 'counter',
    shows:
      'requests to webhooks by `result`: `taken` (2xx), `refused` (any other answer), `unanswered`',
    watch: 'more than half are not `taken`',
    rules: [
      {
        alert: 'PlimsollWebhooksFail',
        expr: 'sum(rate(plimsoll_webhook_deliveries_total{job="plimsoll",result!="taken"}[10m])) / sum(rate(plimsoll_webhook_deliveries_total{job="plimsoll"}[10m])) > 0.5',
        for: '10m',
        severity: 'warning',
        summary: '{{ $value | humanizePercentage }} of all deliveries to webhooks fail',
        description:
          'Their events wait and are sent again. Where no target answers, look at the way out of this network.',
      },
    ],
  },
  plimsoll_webhook_dead_letters: {
    type: 'gauge',
    shows: 'events that webhooks did not accept',
    watch: 'it grows',
    rules: [
      {
        alert: 'PlimsollDeadLetters',
        expr: 'max(plimsoll_webhook_dead_letters{job="plimsoll"}) > min_over_time(max(plimsoll_webhook_dead_letters{job="plimsoll"})[1h:1m])',
        severity: 'warning',
        summary: 'A webhook did not accept its events',
        description:
          'After 12 attempts an event becomes a dead letter. Its user can replay it when the receiver works again.',
      },
    ],
  },
  plimsoll_breach_action_seconds: {
    type: 'histogram',
    shows: "from the event of a breach to the platform's confirmation of an [action](actions.md)",
    watch: 'above a minute',
    rules: [
      {
        alert: 'PlimsollActionsSlow',
        expr: 'histogram_quantile(0.99, sum by (le) (rate(plimsoll_breach_action_seconds_bucket{job="plimsoll"}[10m]))) > 60',
        for: '5m',
        severity: 'warning',
        summary: 'Actions at breaches take {{ $value | humanizeDuration }}',
        description: 'Their platforms answer slowly. See the connection of the profiles.',
      },
    ],
  },
  plimsoll_breach_actions_open: {
    type: 'gauge',
    shows: 'unfinished actions',
    watch: 'above 0 for ten minutes: the switch is off, or a platform is down',
    rules: [
      {
        alert: 'PlimsollActionsWait',
        expr: 'max(plimsoll_breach_actions_open{job="plimsoll"}) > 0',
        for: '10m',
        severity: 'critical',
        summary: '{{ $value }} actions at breaches are not done',
        description:
          'The switch is off, or a platform does not answer: GET /users/current/breach-actions?state=waiting.',
      },
    ],
  },
  plimsoll_breach_actions_escalated: {
    type: 'gauge',
    shows: 'actions that a person has to look at',
    watch: 'above 0',
    rules: [
      {
        alert: 'PlimsollActionsEscalated',
        expr: 'max(plimsoll_breach_actions_escalated{job="plimsoll"}) > 0',
        for: '30s',
        severity: 'critical',
        summary: '{{ $value }} actions at breaches need a person',
        description:
          'They could not be done: GET /users/current/breach-actions?state=escalated tells why. Do them by hand, then retry them or set them aside.',
      },
    ],
  },
  plimsoll_standing_work_seconds: {
    type: 'gauge',
    shows:
      'for how long the first due item of a kind of background `work` has not been tried: `folding`, `mail`, `eventMail`, `wakingWebhooks`, `webhooks`, `breachActions`, `seals`, `removal`; seen at each scrape',
    watch: 'above 60 (`removal`: 600): no process has the role, or the log says why it fails',
    rules: [
      {
        alert: 'PlimsollWorkStands',
        expr: 'max by (work) (plimsoll_standing_work_seconds{job="plimsoll",work!="removal"}) > 60 or max by (work) (plimsoll_standing_work_seconds{job="plimsoll",work="removal"}) > 600',
        for: '30s',
        severity: 'critical',
        summary: '{{ $labels.work }} has stood still for {{ $value | humanizeDuration }}',
        description:
          'The first due item is not even tried: folding finds the breaches, the others report them. Start a process with the role engine (folding) or jobs, or look at the log of the one that runs.',
      },
    ],
  },
  plimsoll_unsealed_users: {
    type: 'gauge',
    shows: 'users whose events cannot be [sealed](evidence.md#storage); all others go on',
    watch: 'above 0',
    rules: [
      {
        alert: 'PlimsollUnsealed',
        expr: 'max(plimsoll_unsealed_users{job="plimsoll"}) > 0',
        for: '30s',
        severity: 'critical',
        summary: "{{ $value }} users' events cannot be sealed",
        description:
          'GET /admin/audit?action=seals.set-aside tells whose, from which event on, and why: mostly that somebody changed the database. Restore these rows from a backup; sealing then goes on by itself.',
      },
    ],
  },
  plimsoll_stamps_total: {
    type: 'counter',
    shows:
      'rounds in which [heads of trees](evidence.md#time-stamps) were stamped, by `outcome`: `stamped`, `failed`',
    watch: '`failed` all the time',
    rules: [
      {
        alert: 'PlimsollStampsFail',
        expr: 'sum(increase(plimsoll_stamps_total{job="plimsoll",outcome="failed"}[2h])) > 10 unless sum(increase(plimsoll_stamps_total{job="plimsoll",outcome="stamped"}[2h])) > 0',
        for: '5m',
        severity: 'warning',
        summary: 'No head has been stamped for two hours',
        description:
          'PLIMSOLL_TSA_URL does not answer, or refuses; the log says why. Events are sealed all the same, but nobody else confirms when.',
      },
    ],
  },
  plimsoll_mails: {
    type: 'gauge',
    shows: 'e-mails by `state`: `queued`, `failed`',
    watch: '`failed` above 0; `queued` for six hours',
    rules: [
      {
        alert: 'PlimsollMailFailed',
        expr: 'max(plimsoll_mails{job="plimsoll",state="failed"}) > 0',
        for: '5m',
        severity: 'warning',
        summary: '{{ $value }} mails could not be sent',
        description: 'plimsoll mail list says why, plimsoll mail resend ID sends one again.',
      },
      {
        alert: 'PlimsollMailWaits',
        expr: 'max(plimsoll_mails{job="plimsoll",state="queued"}) > 0',
        for: '6h',
        severity: 'warning',
        summary: 'Mail has been waiting for six hours',
        description: 'The mail server does not accept it, or no process has the role jobs.',
      },
    ],
  },
  plimsoll_sync_lag_seconds: {
    type: 'gauge',
    shows:
      'since the last round in which all accounts of the slowest profile were read; updated every 5 seconds',
    watch: 'above five minutes; the log names the profile',
    rules: [
      {
        alert: 'PlimsollReadsLate',
        expr: 'max(plimsoll_sync_lag_seconds{job="plimsoll"}) > 300',
        for: '5m',
        severity: 'warning',
        summary: 'An account was last read {{ $value | humanizeDuration }} ago',
        description:
          'Its platform does not answer, or is too slow. See the connection of its profile.',
      },
    ],
  },
  plimsoll_sync_accounts: {
    type: 'gauge',
    shows: 'accounts that are read from platforms',
  },
  plimsoll_sync_failing_accounts: {
    type: 'gauge',
    shows: 'those whose last reading failed, or whose last good state is over a minute old',
    watch: 'above 0 for a quarter of an hour',
    rules: [
      {
        alert: 'PlimsollReadsFail',
        expr: 'max(plimsoll_sync_failing_accounts{job="plimsoll"}) > 0',
        for: '15m',
        severity: 'warning',
        summary: '{{ $value }} accounts can not be read from their platform',
        description: 'See the connection of their profiles, and their sync state.',
      },
    ],
  },
  plimsoll_sync_unproven_accounts: {
    type: 'gauge',
    shows: 'those whose deals have never been compared with everything on their platform',
    watch: 'above 0 for six hours',
    rules: [
      {
        alert: 'PlimsollUnproven',
        expr: 'max(plimsoll_sync_unproven_accounts{job="plimsoll"}) > 0',
        for: '6h',
        severity: 'warning',
        summary: '{{ $value }} accounts have never been compared with their platform',
        description: 'Deals may be missing. See the sync of these accounts, and the log.',
      },
    ],
  },
  plimsoll_sync_differing_accounts: {
    type: 'gauge',
    shows:
      'those whose currency or leverage differs on their platform; `sync.differences` of the account shows which',
    watch: 'above 0: their figures are wrong',
    rules: [
      {
        alert: 'PlimsollAccountsDiffer',
        expr: 'max(plimsoll_sync_differing_accounts{job="plimsoll"}) > 0',
        for: '15m',
        severity: 'warning',
        summary: '{{ $value }} accounts have another currency or leverage on their platform',
        description:
          "Their figures may be wrong. sync.differences of an account shows the platform's values.",
      },
    ],
  },
});
