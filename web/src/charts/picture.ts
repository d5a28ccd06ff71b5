import type { ChartColours } from './chart-theme.ts';

export type ChartHandle = { picture(title: string): Promise<Blob | null> };

/** Text under the title, each part in its colour. */
export type Legend = readonly { text: string; colour: string }[];

const HEAD_PX = 34;
const LEGEND_PX = 20;

/** Canvases of a chart, one under the other, as one picture with text above. */
export function pictureOf(
  parts: readonly HTMLCanvasElement[],
  title: string,
  colours: ChartColours,
  legend: Legend = [],
): Promise<Blob | null> {
  const scale = devicePixelRatio;
  const head = (HEAD_PX + legend.length * LEGEND_PX) * scale;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(...parts.map(({ width }) => width));
  canvas.height = head + parts.reduce((sum, { height }) => sum + height, 0);
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.fillStyle = colours.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = `${13 * scale}px ${colours.font.replace(/^\S+ /, '')}`;
  for (const [line, { text, colour }] of [
    { text: title, colour: colours.text },
    ...legend,
  ].entries()) {
    context.fillStyle = colour;
    context.fillText(text, 10 * scale, (22 + line * LEGEND_PX) * scale);
  }
  let top = head;
  for (const part of parts) {
    context.drawImage(part, 0, top);
    top += part.height;
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
