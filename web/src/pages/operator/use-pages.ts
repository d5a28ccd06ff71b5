import { useInfiniteQuery } from '@tanstack/react-query';

const PAGE_SIZE = 50;

export type PageQuery = { limit: number; offset: number };

/** A list of the server that grows by a page at a time. */
export function usePages<Row>(
  key: unknown[],
  read: (page: PageQuery, signal: AbortSignal) => Promise<Row[]>,
  /** After how many milliseconds what is shown is read anew. */
  refresh: (rows: Row[]) => number | false = () => false,
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read({ limit: PAGE_SIZE, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, all) =>
      last.length === PAGE_SIZE ? all.length * PAGE_SIZE : undefined,
    refetchInterval: ({ state }) => refresh(state.data?.pages.flat() ?? []),
  });
  return { ...query, rows: query.data?.pages.flat() };
}
