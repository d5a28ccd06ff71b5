import 'uplot/dist/uPlot.min.css';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { ChartPoint } from './chart-points.ts';
import { useChartColours } from './chart-theme.ts';
import { EquityFigure } from './equity-figure.ts';
import './charts.css';
import type { Mark, StepLine } from './marks.ts';
import type { ChartHandle } from './picture.ts';

type EquityChartProps = {
  points: readonly ChartPoint[];
  /** The visible seconds, from and to. */
  range: readonly [number, number];
  currency: string;
  isByDay: boolean;
  lines: readonly StepLine[];
  marks: readonly Mark[];
  hover: (point: ChartPoint | undefined) => void;
  choose: (mark: Mark) => void;
  chosen: (fromSeconds: number, toSeconds: number) => void;
  all: () => void;
  ref?: Ref<ChartHandle>;
};

/** The chart itself; its values are also written as text. */
export function EquityChart(props: EquityChartProps) {
  const { points, range, currency, isByDay, lines, marks } = props;
  const place = useRef<HTMLDivElement>(null);
  const figure = useRef<EquityFigure>(undefined);
  const colours = useChartColours();
  const known = useRef(props);
  known.current = props;
  useEffect(() => {
    if (!place.current) return;
    const { points, range, lines, marks } = known.current;
    const parts = { place: place.current, colours, currency, isByDay };
    const drawn = new EquityFigure(
      {
        ...parts,
        hover: (point) => known.current.hover(point),
        choose: (mark) => known.current.choose(mark),
        chosen: (from, to) => known.current.chosen(from, to),
        all: () => known.current.all(),
      },
      points,
    );
    drawn.show(...range);
    drawn.overlay(lines, marks);
    figure.current = drawn;
    return () => {
      figure.current = undefined;
      drawn.remove();
    };
  }, [colours, currency, isByDay]);
  useEffect(() => figure.current?.draw(points), [points]);
  useEffect(() => figure.current?.overlay(lines, marks), [lines, marks]);
  const [from, to] = range;
  useEffect(() => figure.current?.show(from, to), [from, to]);
  useImperativeHandle(props.ref, () => ({
    picture: async (title) => (await figure.current?.picture(title)) ?? null,
  }));
  const press = (event: KeyboardEvent): void => {
    if (figure.current?.press(event.key, event.shiftKey)) event.preventDefault();
  };
  const what = isByDay ? 'balance' : 'equity, balance and drawdown';
  return (
    <figure
      className="chart"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move the cross-hair
      tabIndex={0}
      onKeyDown={press}
      aria-label={`Chart of ${what}, ${points.length} points up to ${points.at(-1)?.when ?? ''}, broker time; ${marks.length} marks. Arrow keys read the values; with Shift they select a range; Enter zooms in, Escape zooms out.`}
    >
      <div ref={place} className="chart-place" />
    </figure>
  );
}
