import { formatFraction } from '../lib/format.ts';

const NEAR = 0.75;

/**
 * The load line of an account: the room of a limit, from its baseline (left) to the floor (the line
 * at the right end).
 */
export function LoadLine(props: {
  used: number;
  exceeded: boolean;
  label: string;
  /** Written in the line, if the limit is not named nearby. */
  name?: string;
}) {
  const { used, exceeded } = props;
  const left = Math.max(0, Math.min(1, 1 - used));
  const tone = exceeded || used > 1 ? 'over' : used >= NEAR ? 'near' : 'fine';
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers agree on no way to colour <meter>
    <span
      className={`load-line load-${tone}`}
      role="meter"
      aria-label={`${props.label}: room left`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(left * 100)}
      aria-valuetext={`${formatFraction(used, 0)} of the limit is used`}
    >
      <span className="load-used" style={{ width: `${(1 - left) * 100}%` }} />
      <span className="load-text" aria-hidden="true">
        {props.name ? `${props.name}: ` : ''}
        {formatFraction(used, 0)} used
      </span>
    </span>
  );
}
