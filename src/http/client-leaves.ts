import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Callbacks at the end of a connection: one listener, however many requests are pipelined on it.
 */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls when the connection of a request ends, at once if it has ended already. Returns how to
 * unsubscribe. The `close` of an answer is less reliable: it is not repeated for late listeners,
 * and does not come for a request pipelined behind one still being answered.
 */
export function whenClientLeaves(
  { raw: { socket } }: FastifyRequest,
  call: () => void,
): () => void {
  if (socket.destroyed) {
    call();
    return () => {};
  }
  const calls = waiting.get(socket) ?? listenTo(socket);
  calls.add(call);
  return () => calls.delete(call);
}

function listenTo(socket: Socket): Set<() => void> {
  const calls = new Set<() => void>();
  waiting.set(socket, calls);
  socket.once('close', () => {
    for (const call of calls) call();
  });
  return calls;
}

/** Aborts when the client leaves. `using` it unsubscribes at the end. */
export function leavingOf(request: FastifyRequest): Disposable & { signal: AbortSignal } {
  const gone = new AbortController();
  const stop = whenClientLeaves(request, () => gone.abort());
  return { signal: gone.signal, [Symbol.dispose]: stop };
}
