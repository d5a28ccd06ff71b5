import { ColorType, type DeepPartial, type TimeChartOptions } from 'lightweight-charts';

const NAMES = [
  'text',
  'muted',
  'line',
  'accent',
  'on-accent',
  'bad',
  'good',
  'warn',
  'chart-equity',
  'chart-balance',
] as const;
export type ChartColours = Record<(typeof NAMES)[number], string>;

/** The colours of the page as they are now: canvases know no custom properties. */
export function readColours(): ChartColours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = Object.fromEntries(
    NAMES.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return colours as ChartColours;
}

/** `rgb(1, 2, 3)` with an opacity. */
export const withOpacity = (colour: string, opacity: number): string =>
  colour.replace('rgb(', 'rgba(').replace(')', `, ${opacity})`);

/** A single hour does not fill the whole chart. */
const MAX_BAR_PX = 90;

export function chartOptions(colours: ChartColours): DeepPartial<TimeChartOptions> {
  const fontSize = 0.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: colours.muted,
      fontSize,
      fontFamily: getComputedStyle(document.body).fontFamily,
      attributionLogo: true,
      panes: { separatorColor: colours.line },
    },
    grid: { vertLines: { color: colours.line }, horzLines: { color: colours.line } },
    rightPriceScale: { borderColor: colours.line },
    timeScale: {
      borderColor: colours.line,
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 2,
      maxBarSpacing: MAX_BAR_PX,
    },
  };
}
