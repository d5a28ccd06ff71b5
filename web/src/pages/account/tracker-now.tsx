import type { LimitRoomRecord } from '../../../../src/contract/operations/account-standing.ts';
import { LoadLine } from '../../components/load-line.tsx';
import { Money } from '../../components/money.tsx';

/** The present: the rest of the limit, which the maxima of the period do not show. */
export function TrackerNow(props: {
  limit: LimitRoomRecord;
  currency: string;
  /** The figures of the period stopped when its threshold was exceeded. */
  isFrozen: boolean;
}) {
  const { limit, currency } = props;
  const { floor, toFloor, used, target, toTarget } = limit;
  return (
    <>
      <div className="tracker-now">
        {floor !== undefined && toFloor !== undefined && used !== undefined ? (
          <div>
            <p className="row">
              <strong>Now</strong>
              <span>
                <Money value={Math.abs(toFloor)} currency={currency} />{' '}
                {toFloor < 0 ? 'beyond' : 'above'} the floor of{' '}
                <Money value={floor} currency={currency} />
              </span>
            </p>
            <LoadLine used={used} exceeded={limit.exceeded === 'drawdown'} label={limit.name} />
          </div>
        ) : null}
        {target !== undefined && toTarget !== undefined ? (
          <p className="row">
            <strong>Now</strong>
            <span>
              <Money value={Math.abs(toTarget)} currency={currency} />{' '}
              {toTarget < 0 ? 'above' : 'below'} the target of{' '}
              <Money value={target} currency={currency} />
            </span>
          </p>
        ) : null}
      </div>
      {props.isFrozen ? (
        <p className="hint">
          The figures of the period below stopped when it was exceeded; the equity has moved on
          since.
        </p>
      ) : null}
    </>
  );
}
