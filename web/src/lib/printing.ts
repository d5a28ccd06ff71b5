import { useSyncExternalStore } from 'react';

const media = matchMedia('print');

function subscribe(listener: () => void): () => void {
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether the page is being laid out for paper. */
export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => media.matches);
