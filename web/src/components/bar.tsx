import { formatFraction } from '../lib/format.ts';

const NEAR = 0.75;

/** The used part of a limit, as a fraction of 1; beyond it the bar is full and says how far. */
export function Bar(props: {
  used: number;
  /** For screen readers, such as "Daily loss: used part of the limit". */
  label: string;
  /** Next to the bar; the percentage if absent, nothing if null. */
  text?: string | null;
  /** A target is good to reach; a limit is not. */
  kind?: 'limit' | 'target';
}) {
  const tone = toneOf(props.used, props.kind ?? 'limit');
  const percent = Math.max(0, Math.min(100, props.used * 100));
  return (
    <span className="bar-row">
      {/* biome-ignore lint/a11y/useSemanticElements: browsers agree on no way to colour <meter> */}
      <span
        className={`bar bar-${tone}`}
        role="meter"
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        aria-valuetext={formatFraction(props.used, 0)}
      >
        <span className="bar-fill" style={{ width: `${percent}%` }} />
      </span>
      {props.text === null ? null : (
        <span className="bar-text number">{props.text ?? formatFraction(props.used, 0)}</span>
      )}
    </span>
  );
}

function toneOf(used: number, kind: 'limit' | 'target'): string {
  if (kind === 'target') return used > 1 ? 'reached' : 'fine';
  return used > 1 ? 'over' : used >= NEAR ? 'near' : 'fine';
}
