import {
  AreaSeries,
  type AutoscaleInfo,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineStyle,
  LineType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { TrackerEventRecord } from '../../../../src/contract/operations/tracker-events.ts';
import { brokerTimeMs, formatAmount, formatFraction } from '../../lib/format.ts';
import type { ChartPoint, Range } from './chart-points.ts';
import { type ChartColours, chartOptions, withOpacity } from './chart-theme.ts';
import type { ThresholdLine } from './threshold-lines.ts';

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const RANGE_SECONDS = { day: DAY_SECONDS, week: 7 * DAY_SECONDS, month: 31 * DAY_SECONDS };
/** A line is drawn only if it is no further from the values than so many of their spans. */
const MAX_SPANS_AWAY = 1.5;

const NARROW_PX = 560;

const at = (seconds: number): UTCTimestamp => seconds as UTCTimestamp;

/** Equity over balance with the band of each hour, and below it how far under the peak it is. */
export class EquityPlot {
  readonly #chart: IChartApi;
  readonly #colours: ChartColours;
  readonly #band: ISeriesApi<'Candlestick'>;
  readonly #balance: ISeriesApi<'Line'>;
  readonly #equity: ISeriesApi<'Line'>;
  readonly #below: ISeriesApi<'Area'>;
  readonly #markers: ISeriesMarkersPluginApi<Time>;
  #lines: IPriceLine[] = [];
  /** Words beside lines would cover a narrow chart. */
  readonly #isNarrow: boolean;
  #points: ChartPoint[] = [];
  #byTime = new Map<number, ChartPoint>();

  constructor(
    place: HTMLElement,
    colours: ChartColours,
    currency: string,
    hover: (point: ChartPoint | undefined) => void,
  ) {
    this.#colours = colours;
    this.#isNarrow = place.clientWidth < NARROW_PX;
    this.#chart = createChart(place, chartOptions(colours));
    const money = {
      type: 'custom' as const,
      minMove: 0.01,
      formatter: (value: number) => formatAmount(value, currency),
    };
    const band = withOpacity(colours['chart-equity'], 0.22);
    this.#band = this.#chart.addSeries(CandlestickSeries, {
      upColor: band,
      downColor: band,
      borderVisible: false,
      wickVisible: false,
      priceLineVisible: false,
      lastValueVisible: false,
      priceFormat: money,
    });
    this.#balance = this.#chart.addSeries(LineSeries, {
      color: colours['chart-balance'],
      lineWidth: 2,
      lineType: LineType.WithSteps,
      priceLineVisible: false,
      priceFormat: money,
    });
    this.#equity = this.#chart.addSeries(LineSeries, {
      color: colours['chart-equity'],
      lineWidth: 2,
      priceLineVisible: false,
      priceFormat: money,
    });
    this.#below = this.#chart.addSeries(
      AreaSeries,
      {
        lineColor: colours.bad,
        topColor: withOpacity(colours.bad, 0.05),
        bottomColor: withOpacity(colours.bad, 0.35),
        lineWidth: 1,
        lastValueVisible: false,
        invertFilledArea: true,
        autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => fromZero(original()),
        priceLineVisible: false,
        priceFormat: {
          type: 'custom',
          minMove: 0.0001,
          formatter: (value: number) => formatFraction(value, 1),
        },
      },
      1,
    );
    const [upper, lower] = this.#chart.panes();
    upper?.setStretchFactor(3);
    lower?.setStretchFactor(1);
    this.#markers = createSeriesMarkers(this.#equity, []);
    this.#chart.subscribeCrosshairMove(({ time }) => {
      hover(typeof time === 'number' ? this.#byTime.get(time) : undefined);
    });
  }

  /** Draws points; where only the newest one changed, only that is drawn. */
  draw(points: ChartPoint[]): void {
    const before = this.#points;
    this.#points = points;
    const last = points.at(-1);
    if (last) this.#byTime.set(last.timeSeconds, last);
    const added = points.length - before.length;
    const grows = points[0]?.timeSeconds === before[0]?.timeSeconds && added >= 0 && added <= 1;
    if (last && grows && before.length > 0) {
      this.#update(last);
      return;
    }
    this.#byTime = new Map(points.map((point) => [point.timeSeconds, point]));
    this.#band.setData(points.flatMap(bandOf));
    this.#balance.setData(
      points.map(({ timeSeconds, balance }) => ({ time: at(timeSeconds), value: balance })),
    );
    this.#equity.setData(
      points.flatMap(({ timeSeconds, equity }) =>
        equity === undefined ? [] : [{ time: at(timeSeconds), value: equity }],
      ),
    );
    this.#below.setData(
      points.map(({ timeSeconds, belowPeak }) => ({ time: at(timeSeconds), value: -belowPeak })),
    );
  }

  #update(point: ChartPoint): void {
    const time = at(point.timeSeconds);
    for (const band of bandOf(point)) this.#band.update(band);
    this.#balance.update({ time, value: point.balance });
    if (point.equity !== undefined) this.#equity.update({ time, value: point.equity });
    this.#below.update({ time, value: -point.belowPeak });
  }

  mark(lines: readonly ThresholdLine[], events: readonly TrackerEventRecord[]): void {
    for (const line of this.#lines) this.#equity.removePriceLine(line);
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (const point of this.#points) {
      lowest = Math.min(lowest, point.low ?? point.balance);
      highest = Math.max(highest, point.high ?? point.balance);
    }
    const reach = Math.max(highest - lowest, highest * 0.01) * MAX_SPANS_AWAY;
    this.#lines = lines
      .filter(({ value }) => value >= lowest - reach && value <= highest + reach)
      .map(({ kind, title, value }) =>
        this.#equity.createPriceLine({
          price: value,
          title: this.#isNarrow ? '' : title,
          color: kind === 'drawdown' ? this.#colours.bad : this.#colours.good,
          lineStyle: LineStyle.Dashed,
          lineWidth: 1,
          axisLabelVisible: true,
          axisLabelTextColor: this.#colours['on-accent'],
        }),
      );
    const first = this.#points[0]?.timeSeconds ?? Number.POSITIVE_INFINITY;
    const hourOf = (time: string): number =>
      Math.floor(brokerTimeMs(time) / 1000 / HOUR_SECONDS) * HOUR_SECONDS;
    this.#markers.setMarkers(
      events
        .filter(({ brokerTime }) => hourOf(brokerTime) >= first)
        .map((event) => {
          const isLoss = event.exceededThresholdType === 'drawdown';
          return {
            time: at(hourOf(event.brokerTime)),
            position: isLoss ? ('belowBar' as const) : ('aboveBar' as const),
            shape: isLoss ? ('arrowUp' as const) : ('arrowDown' as const),
            color: isLoss ? this.#colours.bad : this.#colours.good,
          };
        })
        .sort((a, b) => Number(a.time) - Number(b.time)),
    );
  }

  show(range: Range): void {
    const last = this.#points.at(-1)?.timeSeconds;
    const first = this.#points[0]?.timeSeconds;
    if (last === undefined || first === undefined) return;
    if (range === 'all') this.#chart.timeScale().fitContent();
    else {
      const from = Math.max(first, last - RANGE_SECONDS[range]);
      this.#chart.timeScale().setVisibleRange({ from: at(from), to: at(last) });
    }
  }

  remove(): void {
    this.#chart.remove();
  }
}

function bandOf({ timeSeconds, low, high }: ChartPoint) {
  if (low === undefined || high === undefined) return [];
  return [{ time: at(timeSeconds), open: low, low, high, close: high }];
}

const LEAST_DEPTH = 0.01;

/** The pane of drawdown begins at zero and is at least one percent deep. */
function fromZero(info: AutoscaleInfo | null): AutoscaleInfo | null {
  if (!info?.priceRange) return info;
  const minValue = Math.min(-LEAST_DEPTH, info.priceRange.minValue);
  return { ...info, priceRange: { minValue, maxValue: 0 } };
}
