import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { INFLATE_RATIO_MAX, INFLATED_BYTES_MAX, ZIP_ENTRIES_MAX } from './limits.ts';
import { UnreadableStatement } from './unreadable-statement.ts';

/** An entry of a zip container, from its central directory (APPNOTE.TXT, 4.3.12). */
export type ZipEntry = {
  name: string;
  method: number;
  packedBytes: number;
  inflatedBytes: number;
  headerOffset: number;
};

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;

const broken = (where: string) => new UnreadableStatement('a complete xlsx workbook', where);

/** Lists the entries without inflating anything. Throws UnreadableStatement past the bounds. */
export function listZipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > ZIP_ENTRIES_MAX)
    throw new UnreadableStatement(`at most ${ZIP_ENTRIES_MAX} zip entries`, `it has ${count}`);
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY_SIGNATURE)
      throw broken(`its directory breaks off at entry ${index + 1} of ${count}`);
    const nameBytes = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes)),
      method: view.getUint16(at + 10, true),
      packedBytes: view.getUint32(at + 20, true),
      inflatedBytes: view.getUint32(at + 24, true),
      headerOffset: view.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - COMMENT_BYTES_MAX); at--)
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  throw broken('the end of its zip directory is missing, the file is cut off');
}

/**
 * Inflates one entry piece by piece. What the directory declares is checked against the bounds before,
 * and what really comes out is counted, because a directory may lie.
 */
export async function* inflateEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
): AsyncGenerator<Uint8Array, void, undefined> {
  const packed = packedBytesOf(bytes, entry);
  const bound = Math.min(
    INFLATED_BYTES_MAX,
    Math.max(1024 * 1024, packed.length * INFLATE_RATIO_MAX),
  );
  const tooLarge = () =>
    new UnreadableStatement(
      `at most ${bound} inflated bytes (${INFLATE_RATIO_MAX} times the packed size)`,
      `zip entry ${entry.name} has more`,
    );
  if (entry.inflatedBytes > bound) throw tooLarge();
  if (entry.method === 0) {
    yield packed;
    return;
  }
  const inflate = createInflateRaw({ chunkSize: 64 * 1024 });
  let total = 0;
  try {
    for await (const chunk of Readable.from([packed]).pipe(inflate)) {
      total += (chunk as Buffer).length;
      if (total > bound) throw tooLarge();
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof UnreadableStatement) throw error;
    const code = (error as { code?: unknown }).code;
    // Only zlib's own verdict on the bytes is about the file.
    if (typeof code !== 'string' || !code.startsWith('Z_')) throw error;
    throw broken(`zip entry ${entry.name} is damaged after ${total} bytes`);
  } finally {
    inflate.destroy();
  }
  if (total !== entry.inflatedBytes)
    throw broken(`zip entry ${entry.name} holds ${total} of ${entry.inflatedBytes} bytes`);
}

function packedBytesOf(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = entry.headerOffset;
  if (at + 30 > bytes.length || view.getUint32(at, true) !== LOCAL_SIGNATURE)
    throw broken(`zip entry ${entry.name} is not where the directory says`);
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const end = start + entry.packedBytes;
  if (end > bytes.length) throw broken(`zip entry ${entry.name} is cut off`);
  if (entry.method !== 0 && entry.method !== 8)
    throw broken(`zip entry ${entry.name} is packed by unknown method ${entry.method}`);
  if (entry.method === 0 && entry.packedBytes !== entry.inflatedBytes)
    throw broken(`zip entry ${entry.name} has two sizes`);
  return bytes.subarray(start, end);
}
