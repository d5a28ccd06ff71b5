import { useLocation } from '../lib/route.ts';
import { CopyButton } from './copy-button.tsx';

/** Copies the address of the page in its current state. */
export function CopyLink() {
  useLocation();
  const { origin, pathname, hash } = location;
  return (
    <CopyButton value={`${origin}${pathname}${hash}`} what="link to this view" label="Copy link" />
  );
}
