/**
 * Calls that come together do their work once, a while after the first of them, and never twice at
 * a time: to begin again with each would mean, in a storm on a slow line, never to be done. Work
 * that fails is done again with the next call.
 */
export function gather(work: () => Promise<unknown>, afterMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  let isOver = false;
  const run = async (): Promise<void> => {
    isWanted = false;
    await work().catch(() => {});
    timer = isWanted && !isOver ? setTimeout(run, afterMs) : undefined;
  };
  return {
    call: (): void => {
      isWanted = true;
      if (!isOver) timer ??= setTimeout(run, afterMs);
    },
    stop: (): void => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
