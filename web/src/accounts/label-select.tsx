import { formatNumber } from '../lib/format.ts';
import { useLabels } from './use-labels.ts';

/** Chooses one of the labels; nothing where no account has one. */
export function LabelSelect(props: { label: string; choose: (label: string) => void }) {
  const labels = useLabels().data ?? [];
  const isKnown = labels.some(({ label }) => label === props.label);
  if (labels.length === 0 && props.label === '') return null;
  return (
    <select
      className="label-select"
      aria-label="Only accounts with the label"
      value={props.label}
      onChange={({ target }) => props.choose(target.value)}
    >
      <option value="">All labels</option>
      {props.label !== '' && !isKnown ? <option value={props.label}>{props.label}</option> : null}
      {labels.map(({ label, accounts }) => (
        <option key={label} value={label}>
          {label} ({formatNumber(accounts, 0)})
        </option>
      ))}
    </select>
  );
}
