import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Shown } from './shown.tsx';

/** The part of a query that grows page by page that the list needs. */
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
  /** Names the items. */
  what: string;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}) {
  const { rows, error, refetch } = props.pages;
  return (
    <>
      <Shown read={{ data: rows, error, refetch }} lines={6} isInset {...props} />
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
