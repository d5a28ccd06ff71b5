/**
 * The bytes in memory that can be moved to another thread. Bytes that fill their memory are given
 * away with it; what lies in a pool beside others is copied, and so is what is empty: nothing is
 * won by moving it, and an empty constant can be anybody's.
 */
export function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const fills = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return fills && bytes.byteLength > 0 ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
