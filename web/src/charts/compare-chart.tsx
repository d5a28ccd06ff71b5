import 'uplot/dist/uPlot.min.css';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import uPlot from 'uplot';
import { currencyDigits } from '../lib/currency-digits.ts';
import { amountRange, brokerDate, hourRange, paddingOf, timeAxis, valueAxis } from './axes.ts';
import { type ChartColours, useChartColours } from './chart-theme.ts';
import './charts.css';
import type { Comparison } from './compare-series.ts';
import { type ChartHandle, pictureOf } from './picture.ts';
import { Stretch, type StretchParts } from './stretch.ts';

/** Lines that differ even without colours. */
const DASHES = [[], [9, 4], [2, 3], [14, 4, 2, 4], [5, 2], [1, 5]];
const LEAST_SPAN = 0.001;

/**
 * Gains of accounts on one axis, or amounts in a currency by hours of UTC; `hover` gets the
 * cross-hair's place.
 */
export function CompareChart(
  props: {
    comparison: Comparison;
    names: readonly string[];
    /** The currency of amounts; absent for gains. */
    currency?: string;
    hover: (row: number | undefined) => void;
    ref?: Ref<ChartHandle>;
  } & Pick<StretchParts, 'chosen' | 'all'>,
) {
  const { comparison, names, currency } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const stretch = useRef<Stretch>(undefined);
  const known = useRef(props);
  known.current = props;
  const colours = useChartColours();
  const count = names.length;
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const marking = new Stretch({
      times: () => known.current.comparison.times,
      chosen: (from, to) => known.current.chosen(from, to),
      all: () => known.current.all(),
    });
    const hover = (row: number | undefined): void => known.current.hover(row);
    const options = optionsOf(element, { colours, count, currency, hover, stretch: marking });
    const drawn = new uPlot(options, dataOf(known.current.comparison), element);
    marking.follow(drawn);
    plot.current = drawn;
    stretch.current = marking;
    const resize = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) drawn.setSize({ width, height });
    });
    resize.observe(element);
    return () => {
      resize.disconnect();
      drawn.destroy();
    };
  }, [colours, count, currency]);
  useEffect(() => plot.current?.setData(dataOf(comparison)), [comparison]);
  useImperativeHandle(props.ref, () => ({
    picture: async (title) => {
      const canvas = plot.current?.ctx.canvas;
      const legend = names.map((text, index) => ({ text, colour: colourOf(colours, index) }));
      return canvas ? pictureOf([canvas], title, colours, legend) : null;
    },
  }));
  const press = (event: KeyboardEvent): void => {
    if (stretch.current?.press(event.key, event.shiftKey)) event.preventDefault();
  };
  const what =
    currency === undefined
      ? `the gain of ${names.join(', ')}`
      : `${names.join(' and ')} in ${currency}`;
  const clock = currency === undefined ? 'broker time' : 'UTC';
  return (
    <figure
      className="chart"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move the cross-hair
      tabIndex={0}
      onKeyDown={press}
      aria-label={`Chart of ${what}, ${comparison.times.length} hours, ${clock}. Arrow keys read the values; with Shift they select a range; Enter zooms in, Escape zooms out.`}
    >
      <div ref={place} className="chart-place" />
    </figure>
  );
}

const dataOf = ({ times, accounts }: Comparison): uPlot.AlignedData => [
  times,
  ...accounts.map((account) => account?.gains ?? times.map(() => null)),
];

function optionsOf(
  { clientWidth: width, clientHeight: height }: HTMLElement,
  parts: {
    colours: ChartColours;
    count: number;
    currency: string | undefined;
    hover: (row: number | undefined) => void;
    stretch: Stretch;
  },
): uPlot.Options {
  const { colours, count, currency, hover, stretch } = parts;
  return {
    ...{ width, height, tzDate: brokerDate, legend: { show: false } },
    padding: paddingOf(colours),
    cursor: stretch.cursor(),
    scales: {
      x: { time: true, range: (_plot, from, to) => hourRange(from, to) },
      y: {
        range: (_plot, least, most) => {
          if (currency !== undefined)
            return amountRange(least ?? 0, most ?? 0, currencyDigits(currency));
          // Gains are seen from 0 on, amounts where they are.
          const [low, high] = [Math.min(0, least ?? 0), Math.max(0, most ?? 0)];
          const margin = Math.max(high - low, LEAST_SPAN) * 0.06;
          return [low - margin, high + margin];
        },
      },
    },
    axes: [
      timeAxis(colours),
      currency === undefined
        ? valueAxis(colours, 2, ' %', 100)
        : valueAxis(colours, currencyDigits(currency)),
    ],
    series: [
      {},
      ...Array.from({ length: count }, (_, index) => ({
        stroke: colourOf(colours, index),
        width: 2,
        dash: DASHES[index % DASHES.length] ?? [],
        points: { show: ({ data: [times] }: uPlot) => times.length === 1 },
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => hover(cursor.idx ?? undefined)],
      setSelect: [stretch.setSelect],
    },
  };
}

const colourOf = (colours: ChartColours, index: number): string =>
  colours[SERIES[index % SERIES.length] ?? 'text'];

const SERIES = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'] as const;
