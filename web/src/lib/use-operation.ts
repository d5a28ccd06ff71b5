import {
  type QueryKey,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Operation } from '../../../src/contract/operation.ts';
import { type Answer, call, callAll, callPage, type Input } from './api.ts';

type Line<O extends Operation> = `${O['method']} ${O['path']}`;
type Options<Read, Shown> = Omit<UseQueryOptions<Read, Error, Shown>, 'queryKey' | 'queryFn'>;
type Paged = Operation & { isPaged: true };

/** What an operation answers, kept under a key; see `call`. */
export const useRead = <O extends Operation, Shown = Answer<O>>(
  queryKey: QueryKey,
  line: Line<O>,
  input: Input<O>,
  options: Options<Answer<O>, Shown> = {},
) => useQuery({ queryKey, queryFn: ({ signal }) => call<O>(line, input, signal), ...options });

/** All of a list that comes in pages. */
export const useReadAll = <O extends Paged, Shown = Answer<O>>(
  queryKey: QueryKey,
  line: Line<O>,
  input: Input<O>,
  options: Options<Answer<O>, Shown> = {},
) => useQuery({ queryKey, queryFn: ({ signal }) => callAll<O>(line, input, signal), ...options });

const PAGE = 50;

type RowOf<O extends Operation> = Answer<O> extends readonly (infer Row)[] ? Row : never;

/** A list that grows by a page at a time, as the server's links to the next page tell. */
export function usePages<O extends Paged>(
  queryKey: QueryKey,
  line: Line<O>,
  input: Input<O> & { query?: object },
  /** After how many milliseconds what is shown is read anew. */
  refresh: (rows: readonly RowOf<O>[]) => number | false = () => false,
  enabled = true,
) {
  const first: Input<O> = { ...input, query: { limit: PAGE, ...input.query } };
  const rowsOf = (pages: { answer: Answer<O> }[] = []): RowOf<O>[] =>
    pages.flatMap(({ answer }) => answer as RowOf<O>[]);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => callPage<O>(line, first, signal, pageParam),
    initialPageParam: undefined as Record<string, string> | undefined,
    getNextPageParam: ({ next }) => next,
    enabled,
    refetchInterval: ({ state }) => refresh(rowsOf(state.data?.pages)),
  });
  return { ...query, rows: query.data && rowsOf(query.data.pages) };
}

/**
 * Changes something. What is shown under the keys is read anew afterwards, whatever came of it: a
 * refusal may tell that somebody else was faster.
 */
export function useChange<O extends Operation>(line: Line<O>, ...shown: readonly QueryKey[]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<O>) => call<O>(line, input),
    onSettled: async (_, error) => {
      const reading = shown.map((queryKey) => queries.invalidateQueries({ queryKey }));
      // A refusal is told at once.
      if (!error) await Promise.all(reading);
    },
  });
}
