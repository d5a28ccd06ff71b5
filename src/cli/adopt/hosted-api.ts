import { setTimeout as sleep } from 'node:timers/promises';
import type { Fields } from '../../contract/hosted-names.ts';

const ANSWER_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
const MAX_TRIES = 6;
const FIRST_PAUSE_SECONDS = 1;
/** A service that asks for more is asked again by the next run. */
const MAX_PAUSE_SECONDS = 600;

/** The service answered, but not with what was asked for. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
  /** 200 for what cannot be read. */
  readonly status: number;

  constructor(url: URL, status: number, words: string) {
    super(`${url} ${words}`);
    this.status = status;
  }
}

/** Being computed, or too many requests. */
const BETTER_LATER = new Set([202, 429]);

const AGAIN = 'Run this again later: what is taken stays';

type Answer = { status: number; text: string; retryAfter: string | null };

/**
 * Reads of the hosted API at one base address. What may be better later (no connection, 202, 429,
 * 5xx) is asked again, after the time that the service names. Throws BadAnswer; any other error
 * means that the service cannot be reached.
 */
export class HostedApi {
  readonly #base: string;
  readonly #token: string;

  constructor(base: URL, token: string) {
    this.#base = base.href.replace(/\/$/, '');
    this.#token = token;
  }

  /** The records of a list. */
  async list(path: string): Promise<Fields[]> {
    const url = this.#url(path);
    const list = await this.#get(url);
    if (!Array.isArray(list)) throw new BadAnswer(url, 200, 'does not answer with a list');
    return list.map(recordIn);
  }

  async read(path: string): Promise<Fields> {
    return recordIn(await this.#get(this.#url(path)));
  }

  #url(path: string): URL {
    return new URL(`${this.#base}/users/current/${path}`);
  }

  async #get(url: URL): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#ask(url).catch(unlessBad);
      const isFailure = answer instanceof Error;
      if (!isFailure && answer.status === 200) return jsonOf(url, answer.text);
      const seconds = pauseSeconds(isFailure ? null : answer.retryAfter, tries);
      const mayBeBetter = isFailure || BETTER_LATER.has(answer.status) || answer.status >= 500;
      if (!mayBeBetter || tries === MAX_TRIES || seconds > MAX_PAUSE_SECONDS) {
        if (isFailure) throw new Error(`${url} does not answer: ${reasonOf(answer)}. ${AGAIN}`);
        const { status, text } = answer;
        throw new BadAnswer(url, status, `answers ${status}: ${text.slice(0, 200)}`);
      }
      await sleep(seconds * 1000);
    }
  }

  /** Redirects are not followed: the token is for this address. */
  async #ask(url: URL): Promise<Answer> {
    const response = await fetch(url, {
      headers: { 'auth-token': this.#token, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { status, headers } = response;
    return { status, text: await textOf(url, response), retryAfter: headers.get('retry-after') };
  }
}

/** Seconds, or a time of day. */
function pauseSeconds(asked: string | null, tries: number): number {
  const seconds = asked === null ? Number.NaN : Number(asked);
  if (seconds >= 0) return seconds;
  const untilMs = asked === null ? Number.NaN : Date.parse(asked) - Date.now();
  return Number.isNaN(untilMs)
    ? FIRST_PAUSE_SECONDS * 2 ** (tries - 1)
    : Math.max(0, untilMs / 1000);
}

async function textOf(url: URL, response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new BadAnswer(url, 200, 'answers more than 16 MiB');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

const recordIn = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

function jsonOf(url: URL, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAnswer(url, 200, `does not answer with JSON: ${text.slice(0, 100)}`);
  }
}

function unlessBad(error: Error): Error {
  if (error instanceof BadAnswer) throw error;
  return error;
}

/** Of a failed connection, fetch tells only the cause. */
const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? cause.message || cause.name : message;
