import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
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

/** Secrets that were just made, and are never shown again. */
export function ShownOnce(props: {
  title: string;
  note: string;
  /** Each by its label. */
  secrets: Readonly<Record<string, string>>;
  close: () => void;
}) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <Card title={props.title}>
      <div className="stack">
        <p ref={note} tabIndex={-1} className="note note-warn" role="status">
          {props.note}
        </p>
        <div>
          {Object.entries(props.secrets).map(([label, value]) => (
            <Secret key={label} label={label} value={value} />
          ))}
        </div>
        <div className="row">
          <Button onClick={props.close}>Done</Button>
        </div>
      </div>
    </Card>
  );
}
