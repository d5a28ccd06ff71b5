import { createHash } from 'node:crypto';
import { bytesOf, type Head, headText } from './signed-note.ts';

/*
 * Time stamps of RFC 3161: what an authority is asked, and what its token says. Whether the token
 * is really the authority's is for openssl to say, which knows certificates.
 */

/** A stamped head's token, base64, and its size. */
export type StampTexts = { size: number; token: string };
/** `token`: over a text of this digest, made at this time, as it says itself. */
export type Stamp = ReadToken & { token: Buffer };
export type ReadToken = { digest: Buffer; timeMs: number };

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const OCTETS = 0x04;
const OBJECT_ID = 0x06;
const TIME = 0x18;
/** A field of its own type, numbered 0. */
const FIELD_0 = 0xa0;
const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex');
const TIME_STAMP = Buffer.from('2a864886f70d0109100104', 'hex');
const SHA_256 = Buffer.from('608648016503040201', 'hex');
/** Granted, and granted with changes. */
const GRANTED = new Set(['00', '01']);
/** Around the digest: version 1, SHA-256 of 32 bytes; and that the certificate is wanted. */
const REQUEST = ['30390201013031300d060960864801650304020105000420', '0101ff'] as const;

export const digestOfText = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Reads the stamp of a head, and that it is of no other one. Throws RangeError. */
export function checkStamp(head: Head, stamp: StampTexts): Stamp {
  const token = bytesOf(stamp.token);
  const read = readToken(token);
  if (head.size !== stamp.size || !read.digest.equals(digestOfText(headText(head))))
    throw new RangeError('its time stamp is of another head');
  return { ...read, token };
}

/** The question for a token over a text: TimeStampReq. */
export const stampRequest = (text: string): Buffer =>
  Buffer.concat([
    Buffer.from(REQUEST[0], 'hex'),
    digestOfText(text),
    Buffer.from(REQUEST[1], 'hex'),
  ]);

/** The token in an answer: TimeStampResp. Throws RangeError if there is none. */
export function tokenOf(answer: Buffer): Buffer {
  const [status, token] = partsOf(only(answer), SEQUENCE);
  const [word] = partsOf(status, SEQUENCE);
  if (!GRANTED.has(contentOf(word, INTEGER).toString('hex')) || !token)
    throw new RangeError('the authority refused to stamp');
  return token.whole;
}

/** What a token says, whoever made it. Throws RangeError. */
export function readToken(token: Buffer): ReadToken {
  const [, , content] = partsOf(wrapped(only(token), SIGNED_DATA), SEQUENCE);
  const info = partsOf(only(contentOf(wrapped(content, TIME_STAMP), OCTETS)), SEQUENCE);
  const [algorithm, digest] = partsOf(info[2], SEQUENCE);
  const [hash] = partsOf(algorithm, SEQUENCE);
  if (!contentOf(hash, OBJECT_ID).equals(SHA_256)) throw new RangeError(NONE);
  return { digest: contentOf(digest, OCTETS), timeMs: timeOf(contentOf(info[4], TIME)) };
}

const NONE = 'it has a time stamp that is none';

/** An element of DER. */
type Element = { tag: number; content: Buffer; whole: Buffer };

/** The content of a type, which its object identifier names. */
function wrapped(element: Element | undefined, type: Buffer): Element {
  const [name, content] = partsOf(element, SEQUENCE);
  if (!contentOf(name, OBJECT_ID).equals(type)) throw new RangeError(NONE);
  return only(contentOf(content, FIELD_0));
}

function timeOf(text: Buffer): number {
  const [, year, ...rest] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text.toString('latin1')) ?? [];
  const [month, day, hour, minute, second, fraction = ''] = rest;
  const timeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`);
  if (Number.isNaN(timeMs)) throw new RangeError(NONE);
  return timeMs;
}

function contentOf(element: Element | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw new RangeError(NONE);
  return element.content;
}

const partsOf = (element: Element | undefined, tag: number): Element[] =>
  elementsOf(contentOf(element, tag));

function only(bytes: Buffer): Element {
  const [element, ...more] = elementsOf(bytes);
  if (!element || more.length > 0) throw new RangeError(NONE);
  return element;
}

/** The elements that bytes consist of, one after the other. */
function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first = 0] = bytes.subarray(at);
    // Below 128 the length itself, otherwise by how many bytes it is written.
    const long = first < 128 ? 0 : first - 128;
    const start = at + 2 + long;
    const isUnknown = first === 128 || long > 4 || start > bytes.length;
    if (isUnknown) throw new RangeError(NONE);
    const length = long === 0 ? first : bytes.readUIntBE(at + 2, long);
    const whole = bytes.subarray(at, start + length);
    if (whole.length !== start + length - at) throw new RangeError(NONE);
    elements.push({ tag, content: whole.subarray(start - at), whole });
    at = start + length;
  }
  return elements;
}
