import { Button } from '../components/button.tsx';
import { formatNumber } from '../lib/format.ts';
import { KEYS } from '../lib/keys.ts';
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
  const { state, find } = props.filter;
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
        <Button
          kind="quiet"
          size="small"
          aria-keyshortcuts={KEYS.help.key}
          onClick={() => dispatchEvent(new KeyboardEvent('keydown', { key: KEYS.help.key }))}
        >
          Keys <kbd aria-hidden>{KEYS.help.key}</kbd>
        </Button>
      </div>
    </>
  );
}
