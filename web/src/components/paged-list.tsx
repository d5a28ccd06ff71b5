import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';

/** What of a query that grows by a page at a time the list needs. */
type Pages<Row> = {
  rows: Row[] | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
};

/** A list with all its states: loading, failed, empty, and more to come. */
export function PagedList<Row>(props: {
  pages: Pages<Row>;
  /** Names what is loaded. */
  what: string;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}) {
  const { rows, error, refetch } = props.pages;
  return (
    <>
      {error ? (
        <div className="card-inset">
          <ErrorNote error={error} retry={refetch} />
        </div>
      ) : null}
      {rows ? (
        rows.length > 0 ? (
          props.children(rows)
        ) : (
          props.empty
        )
      ) : error ? null : (
        <div className="card-inset">
          <Loading label={`Loading ${props.what}`} lines={6} />
        </div>
      )}
      <ShowMore pages={props.pages} />
    </>
  );
}

/** Goes on with the next page, where there is one. */
export function ShowMore({ pages }: { pages: Omit<Pages<unknown>, 'rows'> }) {
  if (!pages.hasNextPage) return null;
  return (
    <div className="card-inset">
      <Button busy={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
