import { formatBrokerTime } from '../lib/format.ts';

/**
 * A time of the broker's wall clock, with seconds always or if there is room. `bare` if a heading
 * already says whose clock it is.
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
