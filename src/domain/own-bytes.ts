/** Bytes in memory of their own: nothing else is kept with them. */
export type OwnBytes = Buffer & { readonly isOwn: true };

/**
 * The way in for bytes that outlive a request. A short Buffer is a slice of a slab, and bytes that
 * were received are a slice of their packet: whoever keeps the slice keeps all of it. A cache of
 * 4 MB of short answers held 160 MB so.
 */
export function ownBytes(...parts: readonly (Uint8Array | string)[]): OwnBytes {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + lengthOf(part), 0));
  let end = 0;
  for (const part of parts) {
    if (typeof part === 'string') bytes.write(part, end);
    else bytes.set(part, end);
    end += lengthOf(part);
  }
  return bytes as OwnBytes;
}

const lengthOf = (part: Uint8Array | string): number => Buffer.byteLength(part);

/** What an entry of a cache takes besides its bytes and its key. */
const ENTRY_BYTES = 200;

export const bytesHeld = (key: string, bytes: number): number =>
  bytes + 2 * key.length + ENTRY_BYTES;
