/** Series of promtool by name, and their values a minute in its notation. */
type Series = Record<string, string>;

/**
 * `after` that time this rule fires and nothing else except those it brings along; `before` none.
 */
type Case = { series: Series; before: string; after: string; also?: readonly string[] };

const of = (name: string, labels = ''): string =>
  `${name}{job="plimsoll",instance="a"${labels && `,${labels}`}}`;
const requests = (status: number): string =>
  of('plimsoll_http_request_seconds_count', `operation="readTracker",status="${status}"`);
const bucket = (name: string, le: string): string => of(`${name}_bucket`, `le="${le}"`);

const up = of('up');
const owned = of('plimsoll_owned_partitions');
const foldedIn1s = bucket('plimsoll_fold_delay_seconds', '1');
const foldedIn5s = bucket('plimsoll_fold_delay_seconds', '5');
const folded = bucket('plimsoll_fold_delay_seconds', '+Inf');
const checkpointIn1s = bucket('plimsoll_checkpoint_seconds', '1');
const checkpointIn5s = bucket('plimsoll_checkpoint_seconds', '5');
const checkpoints = bucket('plimsoll_checkpoint_seconds', '+Inf');
const deadLetters = of('plimsoll_webhook_dead_letters');
const deliveries = (result: string): string =>
  of('plimsoll_webhook_deliveries_total', `result="${result}"`);
const refusedAs = (reason: string): string =>
  of('plimsoll_snapshot_bodies_refused_total', `reason="${reason}"`);
const standing = of('plimsoll_standing_work_seconds', 'work="folding"');
const stamps = (outcome: string): string => of('plimsoll_stamps_total', `outcome="${outcome}"`);
const mailFailed = of('plimsoll_mails', 'state="failed"');
const accepted = of('plimsoll_snapshots_accepted_total');
const late = of('plimsoll_snapshots_late_total');
const lag = of('plimsoll_partition_lag_commits', 'partition="3"');
const checkpointAge = of('plimsoll_checkpoint_age_seconds', 'partition="3"');
const actionIn1s = bucket('plimsoll_breach_action_seconds', '1');
const actionIn120s = bucket('plimsoll_breach_action_seconds', '120');
const actions = bucket('plimsoll_breach_action_seconds', '+Inf');
const accounts = (state: string): string => of('plimsoll_accounts', `state="${state}"`);
const mailQueued = of('plimsoll_mails', 'state="queued"');

/** Two processes in good order for ten hours; a mail and a failing account come and go. */
export const GOOD: Series = {
  [up]: '1x600',
  'up{job="plimsoll",instance="b"}': '1x600',
  [owned]: '8x600',
  'plimsoll_owned_partitions{job="plimsoll",instance="b"}': '0x600',
  [of('plimsoll_stalled_partitions')]: '0x600',
  [foldedIn1s]: '0+60x600',
  [foldedIn5s]: '0+60x600',
  [folded]: '0+60x600',
  [checkpointIn1s]: '0+60x600',
  [checkpointIn5s]: '0+60x600',
  [checkpoints]: '0+60x600',
  [requests(200)]: '0+600x600',
  [requests(503)]: '0+6x600',
  [of('plimsoll_waiting_pollers')]: '900x600',
  [deadLetters]: '3x600',
  [deliveries('taken')]: '0+10x600',
  [deliveries('refused')]: '0+1x600',
  [refusedAs('busy')]: '0x600',
  [mailFailed]: '0x600',
  [mailQueued]: '0 1 0x600',
  [of('plimsoll_sync_lag_seconds')]: '2x600',
  [standing]: '0 15 0x600',
  [of('plimsoll_unsealed_users')]: '0x600',
  [stamps('stamped')]: '0+1x600',
  [stamps('failed')]: '0 1x600',
  [of('plimsoll_sync_failing_accounts')]: '0 1 0x600',
  [of('plimsoll_sync_differing_accounts')]: '0x600',
  [of('plimsoll_quiet_jobs')]: '0x600',
  [of('nodejs_eventloop_lag_p99_seconds')]: '0.02x600',
  [of('plimsoll_build_info', 'version="1"')]: '1x600',
  [of('plimsoll_clock_offset_seconds')]: '0.01x600',
  [accepted]: '0+600x600',
  [late]: '0+6x600',
  [lag]: '3x600',
  [checkpointAge]: '1x600',
  [of('plimsoll_quarantined_accounts')]: '0x600',
  [of('plimsoll_statement_threads')]: '0 2 0x600',
  [actionIn1s]: '0+1x600',
  [actionIn120s]: '0+1x600',
  [actions]: '0+1x600',
  [of('plimsoll_breach_actions_open')]: '0 1 0x600',
  [of('plimsoll_breach_actions_escalated')]: '0x600',
  [of('plimsoll_sync_unproven_accounts')]: '0 5 0x600',
  [accounts('live')]: '90x600',
  [accounts('stale')]: '4x600',
  [accounts('clockOff')]: '0x600',
  [accounts('unwatched')]: '10x600',
  [of('process_resident_memory_bytes')]: '300000000x600',
};

/** A new rule in deploy/alerts.yml needs a case here. */
export const ALERT_CASES: Record<string, Case> = {
  PlimsollDown: { series: { [up]: '1x60 0x60' }, before: '61m', after: '63m' },
  PlimsollGone: {
    series: { [up]: '1x60', 'up{job="plimsoll",instance="b"}': '1x60' },
    before: '66m',
    after: '72m',
  },
  PlimsollPartitionUnowned: { series: { [owned]: '8x60 6x30' }, before: '61m', after: '64m' },
  PlimsollPartitionStalled: {
    series: { [of('plimsoll_stalled_partitions')]: '0x60 1x60' },
    before: '60m',
    after: '62m',
  },
  PlimsollFoldsLate: {
    series: { [foldedIn1s]: '0+60x60 3600x60' },
    before: '60m',
    after: '66m',
  },
  PlimsollFails: {
    series: { [requests(500)]: '0x60 0+1x60' },
    before: '62m',
    after: '68m',
  },
  PlimsollUnavailable: {
    series: { [requests(503)]: '0+6x60 360+600x60' },
    before: '60m',
    after: '65m',
  },
  PlimsollSlowCheckpoints: {
    series: { [checkpointIn1s]: '0+60x60 3600x60' },
    before: '69m',
    after: '74m',
  },
  PlimsollManyPollers: {
    series: { [of('plimsoll_waiting_pollers')]: '900x60 16000x60' },
    before: '65m',
    after: '68m',
  },
  PlimsollDeadLetters: { series: { [deadLetters]: '3x60 4x60' }, before: '60m', after: '62m' },
  PlimsollWebhooksFail: {
    series: { [deliveries('taken')]: '0+10x60 600x60', [deliveries('refused')]: '0+1x120' },
    before: '70m',
    after: '90m',
  },
  PlimsollSnapshotsWait: {
    series: { [refusedAs('busy')]: '0x60 0+5x60' },
    before: '64m',
    after: '68m',
  },
  PlimsollUserFull: {
    series: { [of('plimsoll_most_stored_share')]: '0.7x60 0.9x60' },
    before: '60m',
    after: '68m',
  },
  PlimsollWorkStands: { series: { [standing]: '0x60 0+60x60' }, before: '61m', after: '64m' },
  PlimsollUnsealed: {
    series: { [of('plimsoll_unsealed_users')]: '0x60 1x60' },
    before: '59m',
    after: '62m',
  },
  PlimsollStampsFail: {
    series: { [stamps('failed')]: '0x60 0+1x120', [stamps('stamped')]: '0+1x60 60x120' },
    before: '120m',
    after: '190m',
  },
  PlimsollClockDiffers: {
    series: { [of('plimsoll_clock_offset_seconds')]: '0x60 -3600x60' },
    before: '60m',
    after: '63m',
  },
  PlimsollVersions: {
    series: { [of('plimsoll_build_info', 'version="2"')]: '_x30 1x570' },
    before: '380m',
    after: '400m',
  },
  PlimsollSnapshotsStop: {
    series: { [accepted]: '0+600x60 36000x60', [late]: '0+6x60 360x60' },
    before: '62m',
    after: '72m',
  },
  PlimsollSnapshotsLate: {
    series: { [late]: '0+6x60 360+500x60' },
    before: '61m',
    after: '90m',
  },
  PlimsollFoldsBehind: { series: { [lag]: '3x60 9000x60' }, before: '60m', after: '64m' },
  PlimsollCheckpointOld: {
    series: { [checkpointAge]: '1x60 130x60' },
    before: '60m',
    after: '63m',
  },
  PlimsollQuarantine: {
    series: { [of('plimsoll_quarantined_accounts')]: '0x60 1x60' },
    before: '59m',
    after: '62m',
  },
  PlimsollImportsWait: {
    series: { [of('plimsoll_statement_threads')]: '0x60 2x60' },
    before: '70m',
    after: '80m',
  },
  PlimsollActionsSlow: {
    series: { [actionIn1s]: '0+1x60 60x60' },
    before: '60m',
    after: '70m',
  },
  PlimsollActionsWait: {
    series: { [of('plimsoll_breach_actions_open')]: '0x60 1x60' },
    before: '65m',
    after: '73m',
  },
  PlimsollActionsEscalated: {
    series: { [of('plimsoll_breach_actions_escalated')]: '0x60 1x60' },
    before: '59m',
    after: '62m',
  },
  PlimsollUnproven: {
    series: { [of('plimsoll_sync_unproven_accounts')]: '0x60 1x540' },
    before: '400m',
    after: '430m',
  },
  PlimsollClockOff: {
    series: { [accounts('clockOff')]: '0x60 2x60' },
    before: '60m',
    after: '63m',
  },
  PlimsollServerClock: {
    series: { [accounts('clockOff')]: '0x60 80x60' },
    before: '60m',
    after: '63m',
    also: ['PlimsollClockOff'],
  },
  PlimsollStale: { series: { [accounts('stale')]: '4x60 5x60' }, before: '60m', after: '63m' },
  PlimsollUnwatched: {
    series: { [accounts('unwatched')]: '10x60 11x60' },
    before: '60m',
    after: '63m',
  },
  PlimsollGrows: {
    series: { [of('process_resident_memory_bytes')]: '300000000+1000000x900' },
    before: '300m',
    after: '500m',
  },
  PlimsollMailFailed: { series: { [mailFailed]: '0x60 1x60' }, before: '65m', after: '68m' },
  PlimsollMailWaits: { series: { [mailQueued]: '0x60 1x540' }, before: '400m', after: '440m' },
  PlimsollReadsLate: {
    series: { [of('plimsoll_sync_lag_seconds')]: '2x60 301x60' },
    before: '65m',
    after: '68m',
  },
  PlimsollReadsFail: {
    series: { [of('plimsoll_sync_failing_accounts')]: '0x60 2x60' },
    before: '75m',
    after: '78m',
  },
  PlimsollAccountsDiffer: {
    series: { [of('plimsoll_sync_differing_accounts')]: '0x60 1x60' },
    before: '75m',
    after: '78m',
  },
  PlimsollQuiet: {
    series: { [of('plimsoll_quiet_jobs')]: '0x60 1x120' },
    before: '110m',
    after: '125m',
  },
  PlimsollBusy: {
    series: { [of('nodejs_eventloop_lag_p99_seconds')]: '0.02x60 0.6x60' },
    before: '65m',
    after: '68m',
  },
};
