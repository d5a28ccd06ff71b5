import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api.ts';
import { isOutcomeUnknown } from '../lib/faults.ts';

const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** Only passing failures are retried: no answer, 429 and 5xx. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/** How many times in succession each could not be read. */
const failures = new WeakMap<object, number>();

/** Visible data that could not be read are requested again, at ever longer intervals. */
function keepAsking(error: unknown, query: Query<unknown, unknown>): void {
  if (!mayPass(error)) return;
  const count = failures.get(query) ?? 0;
  failures.set(query, count + 1);
  const { errorUpdateCount } = query.state;
  const isStillSo = (): boolean =>
    query.isActive() &&
    query.state.fetchStatus === 'idle' &&
    query.state.errorUpdateCount === errorUpdateCount;
  setTimeout(
    () => {
      // Its own failure comes back here.
      if (isStillSo()) query.fetch().catch(() => undefined);
    },
    Math.min(FIRST_PAUSE_MS * 2 ** count, LONGEST_PAUSE_MS),
  );
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: keepAsking,
    onSuccess: (_data, query) => failures.delete(query),
  }),
  mutationCache: new MutationCache({
    // If the outcome is unknown, the user must see the current state.
    onError: (error) => {
      if (isOutcomeUnknown(error)) void queryClient.invalidateQueries();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < MAX_RETRIES && mayPass(error),
      refetchOnWindowFocus: false,
      // Plimsoll may run on this machine, without a network. Whether it answers is watched.
      networkMode: 'always',
    },
    // A click takes effect or fails now: never later, unseen.
    mutations: { networkMode: 'always' },
  },
});
