import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { ShowMore } from '../../components/paged-list.tsx';
import { Table } from '../../components/table.tsx';
import { showToast } from '../../components/toast.tsx';
import { countOf, formatLocalTime, formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useDeadLetters, useReplay } from './use-webhooks.ts';

/** Events that were given up, and a way to send them again. */
export function DeadLetters(props: { webhookId: string; mayReplay: boolean }) {
  const pages = useDeadLetters(props.webhookId);
  const { rows: letters, error, refetch } = pages;
  const replay = useReplay();
  if (error) return <ErrorNote error={error} retry={refetch} />;
  if (!letters || letters.length === 0) return null;
  return (
    <div className="stack">
      <p className="note note-bad" role="status">
        {pages.hasNextPage ? 'At least ' : ''}
        {formatNumber(letters.length, 0)} {letters.length === 1 ? 'event was' : 'events were'} not
        taken and given up.
      </p>
      <Table
        caption="Events that were not accepted"
        rows={letters}
        rowKey={({ sequenceNumber }) => sequenceNumber}
        columns={[
          {
            title: 'Event',
            cell: ({ sequenceNumber }) => (
              <a href={path.incident(sequenceNumber)}>{sequenceNumber}</a>
            ),
          },
          { title: 'Given up (your time)', cell: ({ failedAt }) => formatLocalTime(failedAt) },
          { title: 'Attempts', align: 'end', wide: true, cell: ({ attempts }) => attempts },
          { title: 'Last result', cell: ({ lastResult }) => lastResult },
        ]}
      />
      <ShowMore pages={pages} />
      {replay.error ? <ErrorNote error={replay.error} /> : null}
      {props.mayReplay ? (
        <div>
          <Button
            size="small"
            busy={replay.isPending}
            onClick={() =>
              replay.mutate(
                { params: { id: props.webhookId }, body: {} },
                {
                  onSuccess: ({ replayed }) =>
                    showToast(`${countOf(replayed, 'event')} sent again`),
                },
              )
            }
          >
            Send them again
          </Button>
        </div>
      ) : null}
    </div>
  );
}
