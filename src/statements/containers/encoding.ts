import { isUtf8 } from 'node:buffer';
import { CHUNK_BYTES } from '../limits.ts';

const HEAD_BYTES = 64 * 1024;

/**
 * The encoding of a text file, as a label of the WHATWG Encoding Standard: by byte order mark, by
 * the zero bytes of UTF-16, by the charset that a page declares, by being valid UTF-8, else by the
 * runs of bytes above 127 (Western European letters stand alone, Cyrillic ones in words of any
 * length, Chinese and Japanese in pairs).
 */
export function detectEncoding(bytes: Uint8Array): string {
  const utf = detectUtf(bytes);
  if (utf) return utf;
  if (isUtf8(bytes)) return 'utf-8';
  return declaredCharset(bytes) ?? guessLegacy(bytes.subarray(0, HEAD_BYTES));
}

/** UTF-16 by its mark or zero bytes; undefined for anything else. */
export function detectUtf(bytes: Uint8Array): string | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (second === 0 && fourth === 0 && first !== 0) return 'utf-16le';
  if (first === 0 && third === 0 && second !== 0) return 'utf-16be';
  return undefined;
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const label = /charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
  // A file that declares UTF-8 but is not valid was mislabelled; any other declaration is trusted.
  if (!label || /^utf-?8$/i.test(label)) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function guessLegacy(bytes: Uint8Array): string {
  let runs = 0;
  let single = 0;
  let odd = 0;
  let kanaLeads = 0;
  for (let at = 0; at < bytes.length; ) {
    if ((bytes[at] ?? 0) < 0x80) {
      at += 1;
      continue;
    }
    const start = at;
    while ((bytes[at] ?? 0) >= 0x80) {
      if (bytes[at] === 0x82 || bytes[at] === 0x83) kanaLeads += 1;
      at += 1;
    }
    runs += 1;
    if (at - start === 1) single += 1;
    if ((at - start) % 2 === 1) odd += 1;
  }
  if (kanaLeads > runs / 2) return 'shift_jis';
  if (single > runs / 2) return 'windows-1252';
  return odd > runs / 10 ? 'windows-1251' : 'gb18030';
}

/**
 * Decodes piece by piece, so that only one piece of text is in memory; marks undecodable bytes
 * U+FFFD.
 */
export function* decodeChunks(
  bytes: Uint8Array,
  encoding: string,
): Generator<{ text: string; doneShare: number }> {
  const decoder = new TextDecoder(encoding);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const end = Math.min(bytes.length, start + CHUNK_BYTES);
    const text = decoder.decode(bytes.subarray(start, end), { stream: true });
    yield { text, doneShare: end / bytes.length };
  }
  const rest = decoder.decode();
  if (rest) yield { text: rest, doneShare: 1 };
}

/** The first characters of the file, for finding its kind. */
export function decodeHead(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes.subarray(0, HEAD_BYTES), { stream: true });
}
