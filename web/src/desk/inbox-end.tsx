import { Button } from '../components/button.tsx';
import { formatNumber } from '../lib/format.ts';
import { useIsPrinting } from '../lib/printing.ts';
import type { InboxFilter } from './inbox-filter.ts';
import type { useIncidents } from './use-incidents.ts';

/** Below the list: how to load more, and the keys. */
export function InboxEnd(props: {
  filter: InboxFilter;
  inbox: ReturnType<typeof useIncidents>;
  /** Loaded ones that are not shown yet. */
  hidden: number;
  showHidden: () => void;
}) {
  const { inbox, hidden } = props;
  const { state, find, ofAccount } = props.filter;
  const here = inbox.incidents?.length ?? 0;
  const isPrinting = useIsPrinting();
  return (
    <>
      {isPrinting && inbox.hasNextPage ? (
        <p className="hint card-inset">
          The newest {formatNumber(here, 0)}; the older ones are left out.
        </p>
      ) : null}
      <div className="inbox-more">
        {hidden > 0 ? (
          <Button onClick={props.showHidden}>Show {formatNumber(hidden, 0)} more</Button>
        ) : inbox.hasNextPage ? (
          <Button busy={inbox.isFetchingNextPage} onClick={() => inbox.fetchNextPage()}>
            Show older ones
          </Button>
        ) : here > 0 && find === '' ? (
          <span className="hint">
            {state === 'open' ? 'There are no other open ones.' : 'There are no older ones.'}
          </span>
        ) : null}
        <Keys isOnDesk={ofAccount === undefined} />
      </div>
    </>
  );
}

const Keys = ({ isOnDesk }: { isOnDesk: boolean }) => (
  <span className="hint wide-only">
    <kbd>J</kbd> <kbd>K</kbd> next, previous · <kbd>A</kbd> acknowledge · <kbd>E</kbd> evidence ·{' '}
    <kbd>M</kbd> mine · <kbd>N</kbd> note · <kbd>Enter</kbd> details · <kbd>X</kbd> choose ·{' '}
    <kbd>S</kbd> all of its account · <kbd>U</kbd> undo · <kbd>Home</kbd> take in new ones ·{' '}
    {isOnDesk ? (
      <>
        <kbd>G</kbd> group ·{' '}
      </>
    ) : null}
    <kbd>Ctrl</kbd> <kbd>K</kbd> go to an account
  </span>
);
