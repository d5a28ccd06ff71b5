import { formatBrokerTime } from '../lib/format.ts';

/**
 * A time of the broker's wall clock, with seconds everywhere or where there is room for them.
 * `bare` where a heading says already whose it is.
 */
export function BrokerTime(props: { value: string; seconds?: boolean | 'wide'; bare?: boolean }) {
  return (
    <span className="number">
      <time
        className="nowrap"
        dateTime={props.value.replace(' ', 'T')}
        title={`${props.value} broker time`}
      >
        {formatBrokerTime(props.value, props.seconds === true)}
        {props.seconds === 'wide' ? (
          <span className="wide-only">{props.value.slice(16, 19)}</span>
        ) : null}
      </time>
      {props.bare ? null : <span className="unit"> broker time</span>}
    </span>
  );
}
