/**
 * Concurrent calls do their work once, a while after the first one, and never twice at a time:
 * restarting with each call would mean never finishing in a storm on a slow line. Failed work is
 * repeated with the next call.
 */
export function gather(work: () => Promise<unknown>, afterMs: () => number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  let isOver = false;
  const run = async (): Promise<void> => {
    isWanted = false;
    await work().catch(() => {});
    timer = isWanted && !isOver ? setTimeout(run, afterMs()) : undefined;
  };
  return {
    call: (): void => {
      isWanted = true;
      if (!isOver) timer ??= setTimeout(run, afterMs());
    },
    stop: (): void => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
