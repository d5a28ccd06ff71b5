import type { Settings } from './settings.ts';
import { type Plimsoll, startPlimsoll } from './start.ts';

const FAILED = 1;
const STOP_WITHIN_MS = 10_000;

/** Runs the server until a signal stops it. */
export async function serve(settings: Settings): Promise<void> {
  const signal = stopSignal();
  const plimsoll = await startPlimsoll(settings);
  console.log(`Plimsoll listens on ${plimsoll.address}`);
  await stopOn(signal, plimsoll);
}

/** The same with a demo user, whose accounts are fed until then. */
export async function demo(settings: Settings): Promise<void> {
  const signal = stopSignal();
  const plimsoll = await startPlimsoll(settings);
  console.log(`Plimsoll listens on ${plimsoll.address}`);
  const { prepareDemo } = await import('../demo/prepare-demo.ts');
  const { token, stopFeed } = await prepareDemo(plimsoll).catch(async (error: unknown) => {
    await plimsoll.stop();
    throw error;
  });
  const address = settings.PLIMSOLL_PUBLIC_URL || plimsoll.address;
  console.log(`Dashboard: ${address}/#token=${token}`);
  console.log(`Demo token, for the auth-token header: ${token}`);
  await signal;
  stopFeed();
  await stopOn(signal, plimsoll);
}

async function stopOn(signal: Promise<void>, plimsoll: Plimsoll): Promise<void> {
  await signal;
  const forced = setTimeout(() => process.exit(FAILED), STOP_WITHIN_MS);
  forced.unref();
  await plimsoll.stop();
}

/** Listens from the call on: a signal that comes while the server starts stops it when it has. */
const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
