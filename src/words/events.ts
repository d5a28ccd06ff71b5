import { THRESHOLD_TYPES } from './trackers.ts';

/**
 * An account's feed has gone silent, or has come back; its clock is off, or right again; it has
 * lost its last loss limit.
 */
export const FEED_CHANGES = ['silence', 'return', 'clockOff', 'clockRight', 'unwatched'] as const;
export type FeedChangeKind = (typeof FEED_CHANGES)[number];

/** The kinds that events can be filtered by. */
export const EVENT_KINDS = [
  ...THRESHOLD_TYPES,
  'warning',
  'revision',
  'enrolment',
  ...FEED_CHANGES,
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
