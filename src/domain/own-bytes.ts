/** Copies bytes into memory of their own, shared with nothing else. */
export type OwnBytes = Buffer & { readonly isOwn: true };

/**
 * For bytes that outlive a request. A short Buffer is a slice of a slab, and received bytes are a
 * slice of their packet: keeping the slice keeps all of it. A cache of 4 MB of short answers once
 * held 160 MB that way.
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

/** Memory of a cache entry besides its bytes and its key. */
const ENTRY_BYTES = 500;

export const bytesHeld = (key: string, bytes: number): number =>
  bytes + 2 * key.length + ENTRY_BYTES;
