import type uPlot from 'uplot';

/** A finger that moved less does not choose a stretch. */
const LEAST_PX = 12;

/**
 * Lets a finger choose a stretch of a chart from side to side; up and down it scrolls the page.
 * uPlot itself handles the mouse.
 */
export function brushByTouch(plot: uPlot, chosen: (from: number, to: number) => void): void {
  const { over } = plot;
  over.style.touchAction = 'pan-y';
  let startPx: number | undefined;
  const place = (event: PointerEvent): number => {
    const { left, width } = over.getBoundingClientRect();
    return Math.max(0, Math.min(width, event.clientX - left));
  };
  const select = (left: number, width: number): void =>
    plot.setSelect({ left, top: 0, width, height: width > 0 ? over.clientHeight : 0 }, false);
  over.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse') return;
    startPx = place(event);
    over.setPointerCapture(event.pointerId);
  });
  over.addEventListener('pointermove', (event) => {
    if (startPx === undefined) return;
    const here = place(event);
    plot.setCursor({ left: here, top: over.clientHeight / 2 }, true);
    select(Math.min(startPx, here), Math.abs(here - startPx));
  });
  over.addEventListener('pointerup', (event) => {
    if (startPx === undefined) return;
    const [from, to] = [startPx, place(event)].sort((a, b) => a - b) as [number, number];
    startPx = undefined;
    select(0, 0);
    if (to - from >= LEAST_PX) chosen(plot.posToVal(from, 'x'), plot.posToVal(to, 'x'));
  });
  over.addEventListener('pointercancel', () => {
    startPx = undefined;
    select(0, 0);
  });
}
