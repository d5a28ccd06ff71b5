import { type BrokerTimeMs, parseBrokerTime } from '../domain/broker-time.ts';

const DATE_LENGTH = 10;
const SECONDS_LENGTH = 19;
const MILLISECONDS_LENGTH = 23;
const [ZERO, COLON, SPACE, DOT] = [48, 58, 32, 46];

/**
 * Reads broker times as parseBrokerTime does, but remembers the last text and date: a batch has
 * thousands of times of the same day, and often of the same moment.
 */
export class BrokerTimeReader {
  /** The text that was read last. */
  text = '';
  #timeMs: BrokerTimeMs | undefined;
  #date = '';
  #dateMs = 0;

  read(text: string): BrokerTimeMs | undefined {
    if (text === this.text) return this.#timeMs;
    this.#timeMs = this.#parse(text);
    this.text = text;
    return this.#timeMs;
  }

  #parse(text: string): BrokerTimeMs | undefined {
    const isLong = text.length === MILLISECONDS_LENGTH;
    if ((!isLong && text.length !== SECONDS_LENGTH) || !text.startsWith(this.#date)) {
      return this.#parseDate(text);
    }
    if (this.#date === '') return this.#parseDate(text);
    const hour = twoDigits(text, 11);
    const minute = twoDigits(text, 14);
    const second = twoDigits(text, 17);
    const isPunctuated =
      text.charCodeAt(10) === SPACE &&
      text.charCodeAt(13) === COLON &&
      text.charCodeAt(16) === COLON;
    if (!isPunctuated || !(hour < 24) || !(minute < 60) || !(second < 60)) return undefined;
    let ms = 0;
    if (isLong) {
      const last = text.charCodeAt(22) - ZERO;
      ms = twoDigits(text, 20) * 10 + last;
      if (text.charCodeAt(19) !== DOT || !(last >= 0 && last <= 9) || !(ms >= 0)) return undefined;
    }
    return this.#dateMs + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  }

  #parseDate(text: string): BrokerTimeMs | undefined {
    const timeMs = parseBrokerTime(text);
    if (timeMs === undefined) return undefined;
    this.#date = text.slice(0, DATE_LENGTH);
    this.#dateMs = parseBrokerTime(`${this.#date} 00:00:00`) ?? 0;
    return timeMs;
  }
}

/** NaN unless both are digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
