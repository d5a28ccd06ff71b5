import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { CopyLink } from '../components/copy-link.tsx';
import { showAll } from './seen-stretch.ts';

/** Above a chart: its actions. */
export function ChartActions(props: {
  /** The choice of a range, if any. */
  children?: ReactNode;
  isZoomed: boolean;
  /** Saves a picture, if there is a chart. */
  save: (() => void) | undefined;
}) {
  return (
    <>
      {props.children}
      {props.isZoomed ? (
        <Button size="small" onClick={showAll}>
          Zoom out
        </Button>
      ) : null}
      <CopyLink />
      {props.save ? (
        <Button size="small" onClick={props.save}>
          Save picture
        </Button>
      ) : null}
    </>
  );
}
