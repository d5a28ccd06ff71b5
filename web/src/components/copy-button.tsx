import { useState } from 'react';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

/** Copies `value`; `what` names it for screen readers. */
export function CopyButton(props: { value: string; what: string; label?: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.value);
      setState('copied');
    } catch {
      setState('failed');
    }
    setTimeout(() => setState('idle'), SHOWN_MS);
  };
  return (
    <Button size="small" onClick={copy} aria-label={`Copy ${props.what}`}>
      {state === 'idle'
        ? (props.label ?? 'Copy')
        : state === 'copied'
          ? 'Copied'
          : 'Select and copy by hand'}
    </Button>
  );
}
