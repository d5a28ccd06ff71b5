/**
 * Calls `call` after a time, but reads arrived data first: if this process was held up, the answer
 * may have arrived, and timers would run before it. The returned function cancels it.
 */
export function afterArrivals(ms: number, call: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(call);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
