const MAX_TRIES = 20_000;

/** Asks again until a state is reached that only needs time. */
export async function until(reached: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) if (await reached()) return;
  throw new Error('the state was not reached');
}
