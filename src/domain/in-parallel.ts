/**
 * Works on the parts, some at a time, and yields each result as soon as it is there, in any order.
 * Starts nothing more once one has failed or nobody reads on.
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
      // If nobody reads it in time, a failure must not become an unhandled rejection.
      outcome.catch(() => undefined);
      running.set(place, outcome);
    }
    if (running.size === 0) return;
    const { place, result } = await Promise.race(running.values());
    running.delete(place);
    yield result;
  }
}
