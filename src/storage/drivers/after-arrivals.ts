/**
 * Calls `call` after so long, when what has arrived by then is read: if this process was held up,
 * the answer may be here already, and timers come first. The returned function calls it off.
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
