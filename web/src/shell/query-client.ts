import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api.ts';

const MAX_RETRIES = 2;

/** Only what may pass by itself is tried again: no answer, 429 and 5xx. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < MAX_RETRIES && mayPass(error),
      refetchOnWindowFocus: false,
    },
  },
});
