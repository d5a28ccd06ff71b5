import { useState, useSyncExternalStore } from 'react';
import { Button } from '../components/button.tsx';
import { TourDialog } from './tour-dialog.tsx';

/** Offers the tour to users who have not seen it, until they decline. */
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

const KEY = 'plimsoll-tour';

const listeners = new Set<() => void>();
let isSeen = localStorage.getItem(KEY) === 'seen';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether somebody took the tour in this browser, or said that they want none. */
const useIsTourSeen = (): boolean => useSyncExternalStore(subscribe, () => isSeen);

function markTourSeen(): void {
  isSeen = true;
  localStorage.setItem(KEY, 'seen');
  for (const listener of listeners) listener();
}
