import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import { Places, type Shares } from '../services/places.ts';
import { UserTurns } from '../services/user-turns.ts';
import { whenClientLeaves } from './client-leaves.ts';

/** The turn of most operations; the others say why not (UNSHARED), or have places. */
const TURNS = { process: 48, user: 8, waiting: 1000 };
/** Long answers are few: each may be in memory as a whole. */
const LONG_ANSWERS = { process: 8, user: 2, waiting: 100 };

/** The places of a server by name, as in /metrics. */
export type ServerPlaces = {
  create(name: string, what: string, shares: Shares, retryAfterSeconds: number): Places;
};

/** Places that requests hold, and how many of each kind are taken. */
export function registerPlaces(server: FastifyInstance, registry: Registry): void {
  const all = new Map<string, Places>();
  new Gauge({
    name: 'plimsoll_places_taken',
    help: 'Places that requests hold, by kind; for bodies in bytes',
    labelNames: ['places'],
    registers: [registry],
    collect() {
      for (const [name, { taken }] of all) this.labels(name).set(taken);
    },
  });
  server.decorate('turns', { usual: new UserTurns(TURNS), long: new UserTurns(LONG_ANSWERS) });
  const { usual, long } = server.turns;
  const ofOne = new Gauge({
    name: 'plimsoll_turns_of_one_user',
    help: 'The same of the user who has most',
    labelNames: ['kind', 'state'],
    registers: [registry],
  });
  new Gauge({
    name: 'plimsoll_turns',
    help: 'Requests that have their turn, and that wait for it, by kind',
    labelNames: ['kind', 'state'],
    registers: [registry],
    collect() {
      for (const [kind, turns] of Object.entries({ usual, long })) {
        this.labels(kind, 'running').set(turns.running);
        this.labels(kind, 'waiting').set(turns.waiting);
        ofOne.labels(kind, 'running').set(turns.most.running);
        ofOne.labels(kind, 'waiting').set(turns.most.waiting);
      }
    },
  });
  server.decorate('places', {
    create(name, what, shares, retryAfterSeconds) {
      const places = new Places(what, shares, retryAfterSeconds);
      all.set(name, places);
      return places;
    },
  });
  giveBackUnhandled(server);
}

/**
 * A request answered without its handler, such as one with a cut body, has no work that holds a
 * place.
 */
function giveBackUnhandled(server: FastifyInstance): void {
  server.decorateRequest('held');
  server.addHook('onSend', (request, _reply, _payload, done) => {
    request.held?.answering();
    done();
  });
}

/**
 * Keeps a place for a request until it is answered or its client has left, and its work has ended:
 * otherwise users who leave and come back would get more than their share.
 */
export function holdPlace(
  request: FastifyRequest,
  reply: FastifyReply,
  giveBack: () => void,
): void {
  request.held ??= heldBy(request, reply);
  request.held.add(giveBack);
}

/**
 * Continues a request when it is its user's turn. Requests of clients that have left are not begun.
 */
export function takeTurn(
  turns: UserTurns,
  request: FastifyRequest,
  reply: FastifyReply,
  goOn: () => void,
): void {
  turns.take(request.principal.userId ?? 'operator', (end) => {
    if (request.raw.socket.destroyed) return end();
    holdPlace(request, reply, end);
    goOn();
  });
}

function heldBy(request: FastifyRequest, reply: FastifyReply): HeldPlaces {
  const held = new HeldPlaces();
  const stop = whenClientLeaves(request, () => held.left());
  reply.raw.once('close', () => {
    stop();
    held.left();
  });
  return held;
}

/** The places of one request. */
class HeldPlaces {
  readonly #givesBack: (() => void)[] = [];
  #isWaitedFor = true;
  #work: 'awaited' | 'running' | 'ended' = 'awaited';

  add(giveBack: () => void): void {
    this.#givesBack.push(giveBack);
  }

  /** It was answered, or its client has left. */
  left(): void {
    this.#isWaitedFor = false;
    this.#giveBack();
  }

  /** An answer is being sent: the handler's while it runs; otherwise no handler will run. */
  answering(): void {
    if (this.#work === 'awaited') this.#end();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#work = 'running';
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#work = 'ended';
    this.#giveBack();
  }

  #giveBack(): void {
    if (this.#isWaitedFor || this.#work !== 'ended') return;
    for (const giveBack of this.#givesBack.splice(0)) giveBack();
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    places: ServerPlaces;
    turns: { usual: UserTurns; long: UserTurns };
  }
  interface FastifyRequest {
    /** The places that the request holds; undefined: none. */
    held: HeldPlaces | undefined;
  }
}
