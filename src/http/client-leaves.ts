import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * What waits for the end of a connection: one listener, however many requests are pipelined on it.
 */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls when the connection of a request ends, at once if it has ended already. Answers how to stop
 * waiting. The `close` of an answer tells less: it is not repeated for whoever listens late, and
 * does not come for a request that was pipelined behind one that is still being answered.
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

/** Aborts when the client leaves. `using` it stops waiting for that. */
export function leavingOf(request: FastifyRequest): Disposable & { signal: AbortSignal } {
  const gone = new AbortController();
  const stop = whenClientLeaves(request, () => gone.abort());
  return { signal: gone.signal, [Symbol.dispose]: stop };
}
