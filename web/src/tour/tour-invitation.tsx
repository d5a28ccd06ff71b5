import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { TourDialog } from './tour-dialog.tsx';
import { markTourSeen, useIsTourSeen } from './use-tour.ts';

/** Offers the tour to who has not seen it, until they say no. */
export function TourInvitation() {
  const isSeen = useIsTourSeen();
  const [isOpen, setOpen] = useState(false);
  const end = (): void => {
    setOpen(false);
    markTourSeen();
  };
  if (isSeen) return null;
  return (
    <div className="note no-print">
      <span>New here? A tour of one minute shows where everything is.</span>
      <span className="row">
        <Button size="small" onClick={() => setOpen(true)}>
          Take the tour
        </Button>
        <Button size="small" kind="quiet" onClick={markTourSeen}>
          No, thanks
        </Button>
      </span>
      {isOpen ? <TourDialog close={end} /> : null}
    </div>
  );
}
