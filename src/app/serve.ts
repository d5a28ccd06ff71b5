import { boundHeapGrowth } from './heap-growth.ts';
import type { Settings } from './settings.ts';
import { type Plimsoll, startPlimsoll } from './start.ts';

const FAILED = 1;
const STOP_WITHIN_MS = 10_000;

/** Runs the server until a signal stops it. */
export const serve = (settings: Settings): Promise<void> =>
  untilStopped(async (stopping) => {
    const plimsoll = await startUnlessStopped(settings, stopping);
    if (!plimsoll) return;
    console.log(`Plimsoll listens on ${plimsoll.address}`);
    void checkLater(settings, plimsoll);
    await aborted(stopping.signal);
    await plimsoll.stop();
  });

/** Runs it with a demo user, whose accounts are fed until then. */
export const demo = (settings: Settings): Promise<void> =>
  untilStopped(async (stopping) => {
    const plimsoll = await startUnlessStopped(settings, stopping);
    if (!plimsoll) return;
    console.log(`Plimsoll listens on ${plimsoll.address}`);
    const { prepareDemo } = await import('../demo/prepare-demo.ts');
    const { token, stopFeed } = await prepareDemo(plimsoll).catch(async (error: unknown) => {
      await plimsoll.stop();
      throw error;
    });
    const address = settings.PLIMSOLL_PUBLIC_URL || plimsoll.address;
    console.log(`Dashboard: ${address}/#token=${token}`);
    console.log(`Demo token, for the auth-token header: ${token}`);
    await aborted(stopping.signal);
    stopFeed();
    await plimsoll.stop();
  });

/** Undefined if it was stopped while waiting for others. */
async function startUnlessStopped(
  settings: Settings,
  stopping: AbortController,
): Promise<Plimsoll | undefined> {
  boundHeapGrowth();
  try {
    return await startPlimsoll(settings, stopping);
  } catch (error) {
    if (stopping.signal.aborted && error === stopping.signal.reason) return undefined;
    throw error;
  }
}

/** Checks that wait for a network run when requests are already accepted. */
async function checkLater(settings: Settings, { context }: Plimsoll): Promise<void> {
  const { checkAfterStart } = await import('./check/check.ts');
  await checkAfterStart(settings, context.logger);
}

/** Runs work that ends soon after the signal, of a start as well; else the process ends anyway. */
async function untilStopped(work: (stopping: AbortController) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopping.abort());
  let forced: NodeJS.Timeout | undefined;
  stopping.signal.addEventListener('abort', () => {
    forced = setTimeout(() => {
      console.error('It did not stop within ten seconds, so it ends here: the next start goes on');
      process.exit(FAILED);
    }, STOP_WITHIN_MS);
  });
  try {
    await work(stopping);
  } finally {
    clearTimeout(forced);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
