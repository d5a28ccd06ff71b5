import {
  type InfiniteData,
  replaceEqualDeep,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import type { listIncidentsOperation } from '../../../src/contract/operations/incidents.ts';
import type { IncidentChoice } from '../../../src/words/service.ts';
import type { ThresholdType } from '../../../src/words/trackers.ts';
import { type Answer, call } from '../lib/api.ts';
import { unlessTold } from '../lib/live.ts';

export type IncidentFilter = {
  state: IncidentChoice;
  kind?: ThresholdType | undefined;
  accountId?: string | undefined;
  label?: string | undefined;
};
type Page = Answer<typeof listIncidentsOperation>;

const PAGE = 50;
/** A user who loads older ones, as after a storm, has many to read. */
const OLDER_PAGE = 200;
const REFRESH_MS = 10_000;

function readPage(
  { state, kind, accountId, label }: IncidentFilter,
  before: number | undefined,
  signal: AbortSignal,
): Promise<Page> {
  const query = {
    state,
    limit: before ? OLDER_PAGE : PAGE,
    ...(kind ? { kind } : {}),
    ...(accountId ? { accountId } : {}),
    ...(label ? { label } : {}),
    ...(before ? { before } : {}),
  };
  return call<typeof listIncidentsOperation>('GET /users/current/incidents', { query }, signal);
}

type Pages = InfiniteData<Page, number>;

/**
 * Unchanged incidents stay the same objects, whatever their place: a new incident shifts all
 * others, and hundreds would be redrawn.
 */
function keepUnchanged(before: Pages | undefined, after: Pages): Pages {
  const known = new Map(
    before?.pages.flatMap((page) => page.incidents.map((each) => [each.id, each])),
  );
  const pages = after.pages.map((page) => ({
    ...page,
    incidents: page.incidents.map((each) => replaceEqualDeep(known.get(each.id), each)),
  }));
  return { ...after, pages };
}

/** Incidents, newest first, page by page; new ones appear automatically. */
export function useIncidents(filter: IncidentFilter) {
  const query = useInfiniteQuery({
    queryKey: ['incidents', filter],
    queryFn: ({ pageParam, signal }) => readPage(filter, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last: Page) => last.next,
    refetchInterval: unlessTold(REFRESH_MS),
    structuralSharing: (before, after) =>
      keepUnchanged(before as Pages | undefined, after as Pages),
  });
  const { data } = query;
  const incidents = useMemo(() => data?.pages.flatMap((page) => page.incidents), [data]);
  return { ...query, incidents, open: data?.pages[0]?.open };
}

/** The newest of all, which marks the place in the stream of events. */
export const useNewestIncidents = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['incidents', 'newest'],
    queryFn: ({ signal }) => readPage({ state: 'all' }, undefined, signal),
    enabled: isEnabled,
    refetchInterval: unlessTold(REFRESH_MS),
  });
