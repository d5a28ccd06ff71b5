import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** Packs texts into a zip file, UTF-8, as APPNOTE.TXT describes it, all of one fixed date. */
export function zipOf(files: Record<string, string | Uint8Array>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(0x5d740000, 6);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(plain.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([signature(0x04034b50), common, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), common, tail, nameBytes]),
    );
    parts.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listing, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const LOCAL_HEADER_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;

/** Takes a file of `zipOf` apart again: entries follow each other without gaps or extra fields. */
export function unzipped(file: Uint8Array): Record<string, Uint8Array> {
  const bytes = Buffer.from(file);
  const entries: Record<string, Uint8Array> = {};
  for (let at = 0; bytes.readUInt32LE(at) === LOCAL_SIGNATURE; ) {
    const nameEnd = at + LOCAL_HEADER_BYTES + bytes.readUInt16LE(at + 26);
    const end = nameEnd + bytes.readUInt32LE(at + 18);
    const name = bytes.subarray(at + LOCAL_HEADER_BYTES, nameEnd).toString();
    entries[name] = inflateRawSync(bytes.subarray(nameEnd, end));
    at = end;
  }
  return entries;
}
