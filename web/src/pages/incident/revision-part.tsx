import type { ThresholdType } from '../../../../src/words/trackers.ts';
import { DownloadCase } from '../../cases/download-case.tsx';
import { useCase } from '../../cases/use-case.ts';
import { limitOf } from '../../charts/evidence-limit.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { RevisionLine } from '../../desk/revision-line.tsx';
import type { Revision } from '../../desk/verdict.ts';
import { Equation } from './equation.tsx';

/** A revision's part instead of the event's: the same calculation with the deals known since. */
export function RevisionPart(props: {
  revision: Revision;
  threshold: ThresholdType;
  currency: string;
}) {
  const { revision, threshold, currency } = props;
  const sequenceNumber = String(revision.sequenceNumber);
  const { data, error, refetch } = useCase(sequenceNumber);
  const isLoss = threshold === 'drawdown';
  const measured = data?.statement.measured;
  const isBeyond =
    measured !== undefined &&
    (measured.equity - limitOf(measured, threshold)) * (isLoss ? -1 : 1) > 0;
  return (
    <section className="stack" aria-label={`What is known since event ${sequenceNumber}`}>
      <h3>What is known since event {sequenceNumber}</h3>
      <p>
        <RevisionLine revision={revision} isLoss={isLoss} currency={currency} />
      </p>
      {error ? <ErrorNote error={error} retry={refetch} /> : null}
      {!data && !error ? <Loading label="Loading its case file" lines={2} /> : null}
      {measured === undefined ? null : isBeyond && !revision.stillExceeded ? (
        <p className="hint">Nothing is measured at this moment any more.</p>
      ) : (
        <Equation
          measured={measured}
          threshold={threshold}
          currency={currency}
          label="How it is measured now"
        />
      )}
      <div className="row no-print">
        <DownloadCase sequenceNumber={sequenceNumber} size="small">
          {`Download case file ${sequenceNumber}`}
        </DownloadCase>
      </div>
    </section>
  );
}
