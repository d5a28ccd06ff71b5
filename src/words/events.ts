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

/** What the stream of standings tells of an account. */
export const LIVE_PARTS = ['standing', 'statistics', 'chart', 'incidents'] as const;
export type LivePart = (typeof LIVE_PARTS)[number];

/**
 * How that stream begins: with the whole state, because no id was given, because changes since the
 * id are not known here, or because the server had to forget its state; or with what has changed
 * since the id.
 */
export const LIVE_BEGINNINGS = ['first', 'unknownId', 'forgotten', 'resumed'] as const;
export type LiveBeginning = (typeof LIVE_BEGINNINGS)[number];
