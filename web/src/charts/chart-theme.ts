import { useMemo } from 'react';
import { useIsDark } from '../lib/theme.ts';

const NAMES = [
  ...([
    'text',
    'muted',
    'line',
    'line-strong',
    'surface',
    'accent',
    'bad',
    'good',
    'warn',
  ] as const),
  ...(['chart-equity', 'chart-balance'] as const),
  ...(['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'] as const),
] as const;
export type ChartColours = Record<(typeof NAMES)[number], string> & { font: string };

/** The colours of the page as they are now: canvases know no custom properties. */
function readColours(): ChartColours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = Object.fromEntries(
    NAMES.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  const { fontSize } = getComputedStyle(document.documentElement);
  const size = 0.75 * Number.parseFloat(fontSize);
  return {
    ...colours,
    font: `${size}px ${getComputedStyle(document.body).fontFamily}`,
  } as ChartColours;
}

/** The same object until the page's colours change. */
export function useChartColours(): ChartColours {
  const isDark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours differ in dark mode
  return useMemo(readColours, [isDark]);
}

/** `rgb(1, 2, 3)` with an opacity. */
export const withOpacity = (colour: string, opacity: number): string =>
  colour.replace('rgb(', 'rgba(').replace(')', `, ${opacity})`);
