import { formatBrokerTime } from '../lib/format.ts';

/** A time of the broker's wall clock. `bare` where a heading says so already. */
export function BrokerTime(props: { value: string; seconds?: boolean; bare?: boolean }) {
  return (
    <span className="number">
      <time
        className="nowrap"
        dateTime={props.value.replace(' ', 'T')}
        title={`${props.value} broker time`}
      >
        {formatBrokerTime(props.value, props.seconds)}
      </time>
      {props.bare ? null : <span className="unit"> broker time</span>}
    </span>
  );
}
