import { setTimeout as delay } from 'node:timers/promises';
import type { ServerAddress } from '../connection/server-address.ts';
import { PlatformError } from '../gateway.ts';
import { NoSession, type P5Call, P5Lane, type Say } from './lane.ts';
import type { P5Limits } from './limits.ts';
import type { P5Record } from './record.ts';
import type { P5Credentials } from './session.ts';

export type { P5Call, Say };

const GOODBYE_MS = 500;

type Job = {
  isBulk: boolean;
  run: (lane: P5Lane) => Promise<void>;
  fail: (error: unknown) => void;
  /** True once no caller waits for it any more. */
  isGivenUp: () => boolean;
};

/**
 * Runs commands over sessions of one manager login: one session, one command at a time, and more
 * sessions for reading very many accounts, as far as the server accepts them. A failed connect
 * rejects all that wait for it.
 */
export class P5Client {
  readonly #limits: P5Limits;
  readonly #newLane: () => P5Lane;
  readonly #lanes: P5Lane[] = [];
  readonly #queue: Job[] = [];
  readonly #closing = new AbortController();
  #running = 0;
  /** Sessions that were lost: the server may have restarted since. */
  losses = 0;
  #pinger: NodeJS.Timeout | undefined;
  /** Sessions that the server can currently bear; increased again after a while. */
  #allowed: { sessions: number; untilMs: number } | undefined;

  constructor(address: ServerAddress, credentials: P5Credentials, limits: P5Limits) {
    this.#limits = limits;
    const connection = { address, credentials, limits };
    const events = {
      opened: () => this.#startJobs(),
      lost: () => {
        this.losses += 1;
      },
      overloaded: () => this.#allow(this.#lanes.length - 1),
    };
    this.#newLane = () => new P5Lane(connection, this.#closing.signal, events);
  }

  /** How many bulk calls run at a time at most. */
  get maxSessions(): number {
    return this.#limits.maxSessions;
  }

  /** The complete answer of a command; see `converse`. */
  call(call: P5Call, isBulk = false): Promise<P5Record> {
    return this.converse((say) => say(call), isBulk);
  }

  /**
   * Some commands in succession on one session, with no others in between. Throws RetcodeError for
   * a refusal of the values, PlatformError for everything else.
   */
  converse<T>(work: (say: Say) => Promise<T>, isBulk: boolean = false): Promise<T> {
    if (this.#closing.signal.aborted)
      return Promise.reject(unavailable('The connection is closed', 1));
    if (this.#queue.length + this.#running >= this.#limits.maxQueuedCalls)
      return Promise.reject(unavailable('Too many calls are waiting for the trading server', 5));
    return new Promise((resolve, reject) => {
      let isGivenUp = false;
      const giveUp = (error: unknown): void => {
        isGivenUp = true;
        clearTimeout(timer);
        reject(error);
      };
      const timer = setTimeout(
        () => giveUp(unavailable('The trading server is too slow for the waiting calls', 5)),
        this.#limits.queueMs,
      );
      const run = async (lane: P5Lane): Promise<void> => {
        clearTimeout(timer);
        resolve(await work(lane.say));
      };
      this.#queue.push({ isBulk, run, fail: giveUp, isGivenUp: () => isGivenUp });
      this.#startJobs();
    });
  }

  /** Quits idle sessions. Running calls are cut. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    clearInterval(this.#pinger);
    const idle = this.#lanes.filter((lane) => lane.alive && !lane.isBusy);
    const goodbyes = idle.map((lane) => lane.say({ command: '/api/quit' }).catch(() => undefined));
    const patience = delay(GOODBYE_MS, undefined, { ref: false });
    if (goodbyes.length > 0) await Promise.race([Promise.all(goodbyes), patience]);
    this.#closing.abort();
    for (const lane of this.#lanes) lane.close();
  }

  #startJobs(): void {
    for (let job = this.#queue[0]; job; job = this.#queue[0]) {
      const lane = job.isGivenUp() ? undefined : this.#freeLane(job);
      if (!lane && !job.isGivenUp()) return;
      this.#queue.shift();
      if (lane) void this.#run(lane, job);
    }
  }

  #freeLane({ isBulk }: Job): P5Lane | undefined {
    const idle = this.#lanes.filter((lane) => !lane.isBusy);
    const free = idle.find((lane) => lane.alive) ?? idle[0];
    if (free) return free;
    // The first session shows whether the server accepts any.
    const isFirst = this.#lanes.length === 0;
    const mayGrow = isBulk && this.#lanes.length < this.#sessionsAllowed();
    if (!isFirst && !(mayGrow && this.#lanes.some((lane) => lane.alive))) return undefined;
    const lane = this.#newLane();
    this.#lanes.push(lane);
    this.#startPing();
    return lane;
  }

  async #run(lane: P5Lane, job: Job): Promise<void> {
    lane.isBusy = true;
    this.#running += 1;
    try {
      await job.run(lane);
    } catch (error) {
      if (!(error instanceof NoSession)) job.fail(error);
      else if (!this.#doWithout(lane, job)) {
        // The others would wait for the same connection.
        for (const each of [job, ...this.#queue.splice(0)]) each.fail(error.error);
      }
    } finally {
      lane.isBusy = false;
      this.#running -= 1;
      if (this.#aliveBeside(lane) >= this.#sessionsAllowed()) this.#drop(lane);
      this.#startJobs();
    }
  }

  /** Continues with the existing sessions if the server accepts no more. */
  #doWithout(lane: P5Lane, job: Job): boolean {
    const others = this.#aliveBeside(lane);
    if (others === 0) return false;
    this.#allow(others);
    this.#drop(lane);
    this.#queue.unshift(job);
    return true;
  }

  #aliveBeside(lane: P5Lane): number {
    return this.#lanes.filter((each) => each !== lane && each.alive).length;
  }

  #drop(lane: P5Lane): void {
    lane.close();
    const place = this.#lanes.indexOf(lane);
    if (place >= 0) this.#lanes.splice(place, 1);
  }

  #sessionsAllowed(): number {
    if (this.#allowed && performance.now() > this.#allowed.untilMs) this.#allowed = undefined;
    return this.#allowed?.sessions ?? this.#limits.maxSessions;
  }

  #allow(sessions: number): void {
    const untilMs = performance.now() + this.#limits.fewerSessionsMs;
    this.#allowed = { sessions: Math.max(1, sessions), untilMs };
  }

  /** Keeps one session alive; those unused since the last check are ended. */
  #startPing(): void {
    clearInterval(this.#pinger);
    this.#pinger = setInterval(() => {
      for (const lane of this.#lanes.filter((each) => !each.isBusy)) {
        if (!lane.wasUsed && this.#lanes.length > 1) this.#drop(lane);
        lane.wasUsed = false;
      }
      const ping = { command: '/api/test/access' };
      const [lane] = this.#lanes;
      if (lane?.alive && !lane.isBusy) this.call(ping).catch(() => undefined);
    }, this.#limits.pingMs).unref();
  }
}

const unavailable = (message: string, retryAfterSeconds: number): PlatformError =>
  new PlatformError('unavailable', message, { retryAfterSeconds });
