export { dataOf, type ErrorRecord, PlimsollError } from './error.ts';
export type { EventFilter, FollowedEvents } from './events.ts';
export { type ConnectOptions, connect, type Plimsoll } from './plimsoll.ts';
export { type RetryOptions, retryingFetch } from './retry.ts';
export type * from './schema.ts';
export type { StandingFilter } from './standing.ts';
