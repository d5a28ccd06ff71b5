import { setTimeout as delay } from 'node:timers/promises';
import { growingPause } from '../../domain/growing-pause.ts';
import { type ClosingOutcome, PlatformError } from '../gateway.ts';
import { openRows } from './batches.ts';
import type { P5Client, Say } from './client.ts';
import type { P5Limits } from './limits.ts';
import { isRecord, numberOf, type P5Record, rowsOf, textOf } from './record.ts';
import { parseRetcode, RETCODE, RetcodeError } from './retcode.ts';

/** Actions of a dealer's request ("IMTRequest::EnTradeActions") and its flag to close. */
const ACTION = { execute: 200, removeOrder: 204 } as const;
const FLAG_CLOSE = 1;
/**
 * Ways to fill an order: fill or kill, immediate or cancel, return. Symbols don't allow all of
 * them.
 */
const FILLINGS = [0, 1, 2] as const;
/** The server queues 128 requests of one manager at most. */
const MAX_REQUESTS = 64;
const MAX_PAUSE_MS = 250;
/** Results by which a request is still on its way: in way, accepted, processed, placed. */
const UNDER_WAY: readonly number[] = [10001, 10002, 10003, 10008];

type Kind = 'position' | 'order';
type Target = { id: string; row: P5Record };
const ID_KEYS = { position: 'Position', order: 'Order' } as const;

/**
 * Closes positions at the market, or cancels waiting orders. Each request names its ticket, so that
 * a repeated one finds nothing; only what is still open afterwards counts.
 */
export async function closeAll(
  client: P5Client,
  limits: P5Limits,
  { kind, login, ids }: { kind: Kind; login: number; ids: readonly string[] | undefined },
): Promise<ClosingOutcome> {
  const wanted = ids && new Set(ids);
  const open = async (): Promise<Target[]> =>
    (await openRows(client, kind, login))
      .map((row) => ({ id: textOf(row, ID_KEYS[kind]), row }))
      .filter(({ id, row }) => (wanted?.has(id) ?? true) && isTarget(kind, row));
  const targets = await open();
  const why = new Map<string, string>();
  let lost: unknown;
  for (let start = 0; start < targets.length && !lost; start += MAX_REQUESTS) {
    const part = targets.slice(start, start + MAX_REQUESTS);
    const work = (say: Say) => new Dealing(say, limits, kind, login, why).close(part);
    await client.converse(work).catch((error: unknown) => {
      if (error instanceof RetcodeError) throw error;
      lost = error;
    });
  }
  const left = targets.length === 0 ? [] : await open();
  // Still open although not refused: the answers were lost, so it may yet be closed.
  const isOpen = ({ id }: Target): boolean => !why.has(id);
  if (lost && left.some(isOpen)) throw lost;
  const leftIds = new Set(left.map(({ id }) => id));
  const gone = ids?.filter((id) => !leftIds.has(id)) ?? [];
  const done = new Set([...targets.map(({ id }) => id).filter((id) => !leftIds.has(id)), ...gone]);
  const failed = left.map(({ id }) => ({ id, message: why.get(id) ?? 'is still open' }));
  return { done: [...done], failed };
}

/** Orders being executed at the market (types 0 and 1) are not waiting. */
const isTarget = (kind: Kind, row: P5Record): boolean =>
  kind === 'position' || numberOf(row, 'Type') >= 2;

/** Requests of a dealer; their results are known only to the session that sent them. */
class Dealing {
  readonly #say: Say;
  readonly #limits: P5Limits;
  readonly #kind: Kind;
  readonly #login: number;
  /** The reason why a ticket was not closed. */
  readonly #why: Map<string, string>;

  constructor(say: Say, limits: P5Limits, kind: Kind, login: number, why: Map<string, string>) {
    this.#say = say;
    this.#limits = limits;
    this.#kind = kind;
    this.#login = login;
    this.#why = why;
  }

  async close(targets: readonly Target[]): Promise<void> {
    const prices = this.#kind === 'position' ? await this.#prices(targets) : undefined;
    let left = targets;
    for (const filling of FILLINGS) {
      const requests = new Map<string, Target>();
      for (const target of left) {
        const id = await this.#send(this.#requestOf(target, prices, filling), target);
        if (id !== undefined) requests.set(id, target);
      }
      left = await this.#results(requests);
      if (left.length === 0) return;
    }
  }

  #requestOf({ id, row }: Target, prices: Prices | undefined, filling: number): P5Record {
    const common = { Login: String(this.#login), Symbol: textOf(row, 'Symbol') };
    if (!prices) return { ...common, Action: String(ACTION.removeOrder), Order: id };
    const isBuy = numberOf(row, 'Action') === 0;
    const quote = prices.get(textOf(row, 'Symbol'));
    return {
      ...common,
      Action: String(ACTION.execute),
      Position: id,
      // The opposite side, at its price.
      Type: isBuy ? '1' : '0',
      Volume: textOf(row, 'Volume'),
      VolumeExt: textOf(row, 'VolumeExt'),
      PriceOrder: String((isBuy ? quote?.bid : quote?.ask) ?? numberOf(row, 'PriceCurrent')),
      Digits: textOf(row, 'Digits'),
      TypeFill: String(filling),
      Flags: String(FLAG_CLOSE),
    };
  }

  /** The prices of the login's group. */
  async #prices(targets: readonly Target[]): Promise<Prices> {
    const { answer } = await this.#say({
      command: '/api/user/group',
      params: { login: this.#login },
    });
    const group = isRecord(answer) ? textOf(answer, 'Group') : '';
    const symbols = new Set(targets.map(({ row }) => textOf(row, 'Symbol')));
    const ticks = await this.#say({
      command: '/api/tick/last_group',
      params: { symbol: [...symbols].join(','), group, trans_id: 0 },
    });
    return new Map(
      rowsOf(ticks.answer).map((tick) => [
        textOf(tick, 'Symbol'),
        { bid: numberOf(tick, 'Bid'), ask: numberOf(tick, 'Ask') },
      ]),
    );
  }

  /** The id of the request; undefined if it was refused at once. */
  async #send(request: P5Record, { id }: Target): Promise<string | undefined> {
    try {
      const call = { command: '/api/dealer/send_request', body: request, repeatable: false };
      const { answer } = await this.#say(call);
      const sent = isRecord(answer) ? answer : {};
      const number = ['id', 'ID', 'Id'].map((key) => textOf(sent, key)).find((text) => text !== '');
      if (number !== undefined) return number;
      throw new PlatformError(
        'unavailable',
        'the server did not return the id of a trade request',
        {
          outcomeUnknown: true,
        },
      );
    } catch (error) {
      if (!(error instanceof RetcodeError) || error.retcode === RETCODE.noPermission) throw error;
      this.#why.set(id, error.message);
      return undefined;
    }
  }

  /** Waits for the results; returns the targets whose way of filling the symbol does not allow. */
  async #results(requests: Map<string, Target>): Promise<Target[]> {
    const again: Target[] = [];
    const untilMs = performance.now() + this.#limits.dealerMs;
    for (let asked = 1; requests.size > 0; asked += 1) {
      const params = { id: [...requests.keys()].join(',') };
      const call = { command: '/api/dealer/get_request_result', params, repeatable: false };
      const answer = await this.#say(call);
      for (const [number, target] of [...requests]) {
        const retcode = resultOf(answer, number);
        if (retcode === undefined || UNDER_WAY.includes(retcode.code)) continue;
        requests.delete(number);
        if (retcode.code === RETCODE.unsupportedFilling) again.push(target);
        if (retcode.code !== RETCODE.requestDone && retcode.code !== RETCODE.done)
          this.#why.set(target.id, new RetcodeError(retcode.code, retcode.text).message);
      }
      if (requests.size === 0) break;
      if (performance.now() > untilMs) {
        for (const { id } of requests.values())
          this.#why.set(id, 'the server gave no result in time');
        break;
      }
      const bounds = { firstMs: this.#limits.dealerPollMs, maxMs: MAX_PAUSE_MS };
      await delay(growingPause(asked, bounds), undefined, { ref: false });
    }
    for (const { id } of again) this.#why.delete(id);
    return again;
  }
}

type Prices = Map<string, { bid: number; ask: number }>;

/**
 * The result of a request: `[{result: {Retcode}}, {answer: {ResultRetcode}}]` under its id, which
 * some servers put into `answer`, others next to it. Undefined while there is none.
 */
function resultOf(answer: P5Record, id: string): { code: number; text: string } | undefined {
  const parts = isRecord(answer.answer) ? answer.answer[id] : answer[id];
  const records = rowsOf(parts).flatMap((part) => [part.answer, part.result].filter(isRecord));
  return records
    .map((record) => parseRetcode(textOf(record, 'ResultRetcode') || textOf(record, 'Retcode')))
    .filter((retcode) => retcode !== undefined)
    .sort((a, b) => b.code - a.code || b.text.length - a.text.length)[0];
}
