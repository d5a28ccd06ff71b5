import type { Page } from 'playwright-core';

/**
 * Milliseconds from frame to frame, and frames of more than 50 with the script that took longest.
 */
export type Frames = { gaps: number[]; long: { ms: number; script: string }[] };

/** Runs in the browser, whose types are not those of the rest: so it is text. */
const RECORDER = `(() => {
  const frames = { gaps: [], long: [] };
  globalThis.takeFrames = () => ({ gaps: frames.gaps.splice(0), long: frames.long.splice(0) });
  let last;
  const next = (now) => {
    if (last !== undefined) frames.gaps.push(now - last);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  new PerformanceObserver((list) => {
    for (const { duration: ms, scripts } of list.getEntries()) {
      const [most] = [...scripts].sort((a, b) => b.duration - a.duration);
      const words = most && [most.invoker, most.sourceURL.split('/').at(-1), Math.round(most.duration) + ' ms'];
      frames.long.push({ ms, script: words?.join(' ') ?? 'no script' });
    }
  }).observe({ type: 'long-animation-frame' });
})()`;

/** Notes from now on, on each document of the page, when frames come. */
export const watchFrames = (page: Page): Promise<unknown> => page.addInitScript(RECORDER);

/** What was noted since the last time. */
export const takeFrames = (page: Page): Promise<Frames> => page.evaluate('takeFrames()');
