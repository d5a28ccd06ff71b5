/**
 * Reads a body of so many bytes at most. Throws RangeError, with a message of the caller's, for a
 * longer one.
 */
export async function readBytes(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLong: string,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxBytes) throw new RangeError(tooLong);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
