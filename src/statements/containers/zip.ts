import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { INFLATE_RATIO_MAX, INFLATED_BYTES_MAX, ZIP_ENTRIES_MAX } from '../limits.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';

/** Small entries may compress far beyond the ratio. */
const INFLATED_BYTES_FREE = 1024 * 1024;

/** Chosen entries of a zip file, in the order of its directory, and their contents. */
export type Zip = {
  names: string[];
  /** Inflated bytes of all of them, as declared. */
  bytes: number;
  /** Inflates an entry piece by piece, up to its declared size. */
  read(name: string): AsyncIterable<Buffer>;
};

/**
 * Opens a zip file. The sizes in its directory are checked against the bounds here; the library
 * checks them while inflating. Opening and reading throw UnreadableStatement.
 */
export async function openZip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Promise<Zip> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file = await fromBufferPromise(buffer).catch(broken('its directory'));
  if (file.entryCount > ZIP_ENTRIES_MAX)
    throw new UnreadableStatement(
      `at most ${ZIP_ENTRIES_MAX} zip entries`,
      `it has ${file.entryCount}`,
    );
  const entries = new Map<string, Entry>();
  for (const entry of await entriesOf(file).catch(broken('its directory')))
    if (isWanted(entry.fileName)) entries.set(entry.fileName, entry);
  const total = boundedBytes([...entries.values()]);
  return {
    names: [...entries.keys()],
    bytes: total,
    async *read(name) {
      const entry = entries.get(name);
      if (!entry) return;
      try {
        yield* await file.openReadStreamPromise(entry);
      } catch (error) {
        broken(`zip entry ${name}`)(error);
      }
    },
  };
}

async function entriesOf(file: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of file.eachEntry()) entries.push(entry);
  return entries;
}

function boundedBytes(entries: readonly Entry[]): number {
  for (const { fileName, compressedSize, uncompressedSize } of entries) {
    const bound = Math.max(INFLATED_BYTES_FREE, compressedSize * INFLATE_RATIO_MAX);
    if (uncompressedSize > bound)
      throw new UnreadableStatement(
        `at most ${bound} inflated bytes (${INFLATE_RATIO_MAX} times the packed size)`,
        `zip entry ${fileName} has more`,
      );
  }
  const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (total > INFLATED_BYTES_MAX)
    throw new UnreadableStatement(
      `at most ${INFLATED_BYTES_MAX} inflated bytes`,
      `the workbook declares ${total}`,
    );
  return total;
}

const broken =
  (what: string) =>
  (error: unknown): never => {
    if (error instanceof UnreadableStatement || !(error instanceof Error)) throw error;
    throw new UnreadableStatement(
      'a complete xlsx workbook',
      `${what} is damaged or cut off (${error.message})`,
    );
  };
