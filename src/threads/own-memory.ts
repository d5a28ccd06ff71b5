/**
 * The bytes in a buffer of their own, which can be moved to another thread. Bytes that fill their
 * buffer keep it; bytes that share one, as in a pool, are copied. So are empty bytes: moving them
 * gains nothing, and others may use the same constant.
 */
export function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const fills = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return fills && bytes.byteLength > 0 ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
