import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useMay } from '../shell/use-may.ts';
import { stepsFor } from './tour-steps.ts';

/** The tour: a page of the dashboard at a time, in words, with a way there. */
export function TourDialog({ close }: { close: () => void }) {
  const steps = stepsFor(useMay());
  const [place, setPlace] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const step = steps[place];
  // Readers of screens hear the next step.
  useEffect(() => {
    if (place > 0) heading.current?.focus();
  }, [place]);
  if (!step) return null;
  const isLast = place === steps.length - 1;
  return (
    <Dialog title="A short tour" close={close}>
      <div className="stack">
        <p className="hint">
          {place + 1} of {steps.length}
        </p>
        <h3 ref={heading} tabIndex={-1}>
          {step.title}
        </h3>
        <p>{step.words}</p>
        <div className="actions">
          {isLast ? (
            <Button kind="primary" onClick={close}>
              Begin
            </Button>
          ) : (
            <Button kind="primary" onClick={() => setPlace(place + 1)}>
              Next
            </Button>
          )}
          {place > 0 ? <Button onClick={() => setPlace(place - 1)}>Back</Button> : null}
          {step.href ? (
            <a className="button" href={step.href} onClick={close}>
              Go there and end the tour
            </a>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}
