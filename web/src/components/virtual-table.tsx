// biome-ignore-all lint/a11y/useSemanticElements: rows of a <table> can't be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: its rows and cells do nothing themselves

import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { SortOrder } from '../../../src/words/service.ts';
import { useIsPrinting } from '../lib/printing.ts';
import { useSteadyPlaces } from '../lib/steady.ts';

export type VirtualColumn<Row> = {
  title: string;
  /** The server's sort key; without it the head is no button. */
  sort?: string;
  align?: 'end';
  /** Its least width in rem, and its share of what is left over. */
  width: readonly [leastRem: number, share?: number];
  /** Its share of the width of paper; without one it is not printed. */
  printed?: number;
  /** Its place in the small card that a row is on a narrow screen; without one it is not there. */
  area?: string;
  areaAlign?: 'start' | 'end';
  /** Its title stands before its value there. */
  isTitledThere?: boolean;
  className?: string;
  cell: (row: Row) => ReactNode;
};

/** The visible rows, first and last. */
export type Sight = { first: number; last: number };

type Props<Row> = {
  label: string;
  /** Prefix of the classes of the table's own style sheet. */
  className: string;
  columns: VirtualColumn<Row>[];
  /** The places of a small card, as `grid-template-areas` names them. */
  areas: string;
  /** Which rows: other ones are shown at once. */
  question: string;
  total: number;
  /** The row at a place; undefined while it is being loaded. */
  rowAt: (place: number) => Row | undefined;
  rowKey: (row: Row) => string;
  /** The place of the row with a key, among the loaded ones. */
  placeOf: (key: string) => number | undefined;
  /** Class of a row, such as for old figures. */
  rowClass?: (row: Row) => string;
  sort: string;
  order: SortOrder;
  sortBy: (sort: string, order: SortOrder) => void;
  see: (sight: Sight) => void;
  rowHeight: number;
  narrowRowHeight: number;
};

const OVERSCAN = 8;
/** Printed rows: a page of the server. The print says what is left out. */
const PRINTED_ROWS = 100;

/**
 * Only the rows in sight are in the page, so ten thousand scroll as one hundred. A row is
 * identified by its content, not its place: when the order changes, it moves with its focus.
 */
export function VirtualTable<Row>(asked: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const held = useRef<HTMLDivElement>(null);
  const steady = useSteadyPlaces(held, asked);
  const props = { ...asked, ...steady };
  const isPrinting = useIsPrinting();
  const [focused, setFocused] = useState<string>();
  const { items, height } = useRows(props, scroller, focused, isPrinting);
  return (
    <section
      ref={scroller}
      className={`vt ${props.className}`}
      style={tracksOf(props)}
      // Who scrolls moves the rows anyway.
      onScroll={steady.isBehind ? steady.take : undefined}
      aria-label={`${props.label}, rows`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
      tabIndex={0}
    >
      <div role="table" aria-label={props.label} aria-rowcount={props.total + 1}>
        <div role="rowgroup" className="vt-head">
          <div role="row" className="vt-row" aria-rowindex={1}>
            {props.columns.map((column) => (
              <HeadCell key={column.title} column={column} {...props} />
            ))}
          </div>
        </div>
        <div
          ref={held}
          role="rowgroup"
          className="vt-rows"
          style={{ height, position: 'relative' }}
          onFocus={({ target }) =>
            setFocused(target.closest('[data-key]')?.getAttribute('data-key') ?? undefined)
          }
          onBlur={() => setFocused(undefined)}
        >
          {items.map((item) => (
            <BodyRow key={item.key} item={item} {...props} />
          ))}
        </div>
      </div>
      {steady.isBehind ? (
        <button type="button" className="button button-small vt-behind" onClick={steady.take}>
          The order has changed: show it
        </button>
      ) : null}
      {isPrinting && props.total > PRINTED_ROWS ? (
        <p className="vt-left-out">
          The first {PRINTED_ROWS} of {props.total} rows; the others are left out.
        </p>
      ) : null}
    </section>
  );
}

const GAP_REM = 0.9;

/** The tracks of the grid on a screen and on paper, and what they need at least. */
function tracksOf<Row>({ columns, areas }: Props<Row>): CSSProperties {
  const least = columns.reduce((sum, { width: [rem] }) => sum + rem + GAP_REM, -GAP_REM);
  const wide = columns.map(({ width: [rem, share] }) =>
    share === undefined ? `${rem}rem` : `minmax(${rem}rem, ${share}fr)`,
  );
  const printed = columns.flatMap(({ printed }) =>
    printed === undefined ? [] : [`minmax(0, ${printed}fr)`],
  );
  const tracks = {
    '--columns': wide.join(' '),
    '--printed-columns': printed.join(' '),
    '--least-width': `${least}rem`,
    '--areas': areas,
  };
  return tracks as CSSProperties;
}

/** What a cell of a column needs to find its place. */
function placeOfCell<Row>(column: VirtualColumn<Row>) {
  const { area, areaAlign, printed, align, className } = column;
  const classes = [
    className,
    align,
    area === undefined && 'vt-wide-only',
    printed === undefined && 'no-print',
  ];
  const style = { '--area': area, '--area-align': areaAlign ?? align ?? 'start' } as CSSProperties;
  return { className: classes.filter(Boolean).join(' '), style };
}

/** The rows in the page, and the height of all; tells the caller which ones are visible. */
function useRows<Row>(
  props: Props<Row>,
  scroller: RefObject<HTMLDivElement | null>,
  focused: string | undefined,
  isPrinting: boolean,
): { items: VirtualItem[]; height: number } {
  const { rowAt, rowKey, placeOf, see } = props;
  const isNarrow = matchMedia('(max-width: 860px)').matches && !isPrinting;
  const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const keyAt = (place: number): string => {
    const row = rowAt(place);
    return row === undefined ? `place ${place}` : rowKey(row);
  };
  const places = usePlaces(focused, props.total, placeOf, isPrinting);
  const rows = useVirtualizer({
    count: props.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? props.narrowRowHeight : props.rowHeight) * scale,
    overscan: OVERSCAN,
    getItemKey: keyAt,
    rangeExtractor: places,
  });
  const items = rows.getVirtualItems();
  const inSight = rows.range ?? { startIndex: 0, endIndex: 0 };
  const first = isPrinting ? 0 : Math.max(0, inSight.startIndex - OVERSCAN);
  const last = isPrinting ? PRINTED_ROWS - 1 : inSight.endIndex + OVERSCAN;
  useEffect(
    () => see({ first, last: Math.min(last, Math.max(0, props.total - 1)) }),
    [first, last, props.total, see],
  );
  const height = isPrinting
    ? Math.min(PRINTED_ROWS, props.total) * props.rowHeight * scale
    : rows.getTotalSize();
  return { items, height };
}

/**
 * Which rows are in the page: the visible ones, the one with the focus, and in print the first
 * ones.
 */
function usePlaces(
  focused: string | undefined,
  total: number,
  placeOf: (key: string) => number | undefined,
  isPrinting: boolean,
): (range: Range) => number[] {
  const known = useRef({ focused, total, placeOf, isPrinting });
  known.current = { focused, total, placeOf, isPrinting };
  return useCallback((range: Range) => {
    const { focused, total, placeOf, isPrinting } = known.current;
    if (isPrinting) {
      return Array.from({ length: Math.min(PRINTED_ROWS, total) }, (_, place) => place);
    }
    const places = defaultRangeExtractor(range);
    const place = focused === undefined ? undefined : placeOf(focused);
    if (place === undefined || places.includes(place)) return places;
    return [...places, place].sort((a, b) => a - b);
  }, []);
}

function BodyRow<Row>({ item, ...props }: Props<Row> & { item: VirtualItem }) {
  const row = props.rowAt(item.index);
  return (
    <div
      data-key={item.key}
      role="row"
      aria-rowindex={item.index + 2}
      className={`vt-row ${row === undefined ? '' : (props.rowClass?.(row) ?? '')}`}
      style={{ height: item.size, transform: `translateY(${item.start}px)` }}
    >
      {row === undefined ? (
        <div role="cell">
          <span className="skeleton" />
        </div>
      ) : (
        props.columns.map((column) => (
          <div
            key={column.title}
            role="cell"
            data-title={column.isTitledThere ? column.title : undefined}
            {...placeOfCell(column)}
          >
            {column.cell(row)}
          </div>
        ))
      )}
    </div>
  );
}

function HeadCell<Row>({
  column,
  sort,
  order,
  sortBy,
}: Props<Row> & { column: VirtualColumn<Row> }) {
  const isSorted = column.sort === sort;
  const next = isSorted && order === 'descending' ? 'ascending' : 'descending';
  return (
    <div role="columnheader" aria-sort={isSorted ? order : undefined} {...placeOfCell(column)}>
      {column.sort ? (
        <button
          type="button"
          className="sort-button"
          onClick={() => sortBy(column.sort ?? '', next)}
        >
          {column.title}
          <span aria-hidden="true">{isSorted ? (order === 'ascending' ? ' ▲' : ' ▼') : ''}</span>
        </button>
      ) : (
        column.title
      )}
    </div>
  );
}
