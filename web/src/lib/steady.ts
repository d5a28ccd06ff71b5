import { type RefObject, useCallback, useEffect, useReducer, useRef } from 'react';

/**
 * Tells whether people are in a list: the pointer over it, as it lies now, or the focus in it. A
 * finger has no place before it comes down: without a pointer that hovers, somebody always is.
 */
function useHeld(list: RefObject<HTMLElement | null>): () => boolean {
  const pointer = useRef<{ x: number; y: number }>(undefined);
  useEffect(() => {
    const move = ({ clientX: x, clientY: y }: PointerEvent): void => {
      pointer.current = { x, y };
    };
    const leave = (): void => {
      pointer.current = undefined;
    };
    addEventListener('pointermove', move, { passive: true });
    document.documentElement.addEventListener('pointerleave', leave);
    return () => {
      removeEventListener('pointermove', move);
      document.documentElement.removeEventListener('pointerleave', leave);
    };
  }, []);
  return useCallback(() => {
    const { current: element } = list;
    if (!element) return false;
    // Not `:hover`: a browser forgets it when what was under the pointer is taken away.
    const at = pointer.current;
    const under = at && document.elementFromPoint(at.x, at.y);
    return (
      (under !== undefined && element.contains(under)) ||
      element.matches(':focus-within') ||
      matchMedia('(hover: none)').matches
    );
  }, [list]);
}

/**
 * A list that people click: while the pointer or the focus is in it nothing in it moves. Rows keep
 * their places with their newest content, those that left stay as they were, and new ones wait
 * unless they follow the last one. `take` takes all in; so does leaving the list.
 */
export function useSteadyRows<Row>(
  list: RefObject<HTMLElement | null>,
  /** Which list: another one is shown at once. */
  question: string,
  fresh: readonly Row[],
  keyOf: (row: Row) => number | string,
) {
  const isHeld = useHeld(list);
  const kept = useRef<{ question: string; rows: readonly Row[] }>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const before = kept.current;
  const stays = before?.question === question && before.rows.length > 0 && isHeld();
  const rows = stays ? keepPlaces(before.rows, fresh, keyOf) : fresh;
  kept.current = { question, rows };
  const shown = new Set(rows.map(keyOf));
  const here = new Set(fresh.map(keyOf));
  const waiting = fresh.filter((row) => !shown.has(keyOf(row))).length;
  const isGone = (row: Row): boolean => !here.has(keyOf(row));
  const isBehind = waiting > 0 || rows.some(isGone);
  useLeaving(isHeld, isBehind, redraw);
  const take = (): void => {
    kept.current = undefined;
    redraw();
  };
  return { rows, waiting, isGone, take };
}

type Places<Row> = {
  question: string;
  total: number;
  rowAt: (place: number) => Row | undefined;
  rowKey: (row: Row) => string;
  placeOf: (key: string) => number | undefined;
};

/** The same for rows that are known by their places, of which only some are loaded. */
export function useSteadyPlaces<Row>(
  list: RefObject<HTMLElement | null>,
  { question, total, rowAt, rowKey, placeOf }: Places<Row>,
) {
  const isHeld = useHeld(list);
  const kept = useRef<{ question: string; rows: Map<number, Row> }>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const stays = kept.current?.question === question && isHeld();
  if (!stays || !kept.current) kept.current = { question, rows: new Map() };
  const { rows } = kept.current;
  // Bounded by the rows that were in sight since the pointer came.
  const placed = (place: number): Row | undefined => {
    const before = rows.get(place);
    const now = before === undefined ? undefined : placeOf(rowKey(before));
    const row = before === undefined ? rowAt(place) : now === undefined ? before : rowAt(now);
    if (row !== undefined) rows.set(place, row);
    return row;
  };
  const isBehind = stays && [...rows].some(([place, row]) => placeOf(rowKey(row)) !== place);
  useLeaving(isHeld, isBehind, redraw);
  return {
    /** While it is held it does not get shorter than what is shown. */
    total: Math.max(total, ...[...rows.keys()].map((place) => place + 1)),
    rowAt: placed,
    placeOf: (key: string): number | undefined => {
      for (const [place, row] of rows) if (rowKey(row) === key) return place;
      return placeOf(key);
    },
    isBehind,
    take: (): void => {
      kept.current = undefined;
      redraw();
    },
  };
}

/** Draws what is behind anew once nobody is in the list any more. */
function useLeaving(isHeld: () => boolean, isBehind: boolean, redraw: () => void): void {
  useEffect(() => {
    if (!isBehind) return;
    const gone = new AbortController();
    const look = (): void => {
      if (!isHeld()) redraw();
    };
    for (const kind of ['pointermove', 'focusin']) {
      addEventListener(kind, look, { passive: true, signal: gone.signal });
    }
    return () => gone.abort();
  }, [isHeld, isBehind, redraw]);
}

/** The rows at their places, with what is known of them now, and what follows the last one. */
export function keepPlaces<Row>(
  before: readonly Row[],
  fresh: readonly Row[],
  keyOf: (row: Row) => number | string,
): Row[] {
  const newest = new Map(fresh.map((row) => [keyOf(row), row]));
  const known = new Set(before.map(keyOf));
  const last = fresh.findLastIndex((row) => known.has(keyOf(row)));
  const after = last < 0 ? [] : fresh.slice(last + 1);
  return [...before.map((row) => newest.get(keyOf(row)) ?? row), ...after];
}
