/**
 * Works on the parts, some at a time, and yields each result as soon as it is ready, in any order.
 * Starts no more once one has failed or reading has stopped.
 */
export async function* inParallel<P, R>(
  parts: readonly P[],
  atATime: number,
  work: (part: P) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running = new Map<number, Promise<{ place: number; result: R }>>();
  const waiting = parts.entries();
  for (;;) {
    while (running.size < atATime) {
      const next = waiting.next();
      if (next.done) break;
      const [place, part] = next.value;
      const outcome = work(part).then((result) => ({ place, result }));
      // A failure that is not read in time must not become an unhandled rejection.
      outcome.catch(() => undefined);
      running.set(place, outcome);
    }
    if (running.size === 0) return;
    const { place, result } = await Promise.race(running.values());
    running.delete(place);
    yield result;
  }
}
