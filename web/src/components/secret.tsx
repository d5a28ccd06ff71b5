import { CopyButton } from './copy-button.tsx';

/** A secret that is shown once, to be copied or written down. */
export function Secret(props: { label: string; value: string }) {
  return (
    <div className="secret">
      <span className="secret-label">{props.label}</span>
      <code className="secret-value">{props.value}</code>
      <CopyButton value={props.value} what={props.label.toLowerCase()} />
    </div>
  );
}
