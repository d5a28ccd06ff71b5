import { Broker } from './broker.ts';
import { type Commands, text } from './commands.ts';
import type { Store } from './state.ts';
import { BAD_PARAMETERS, Refusal, type Row } from './wire.ts';

const MAX_QUEUED = 128;
/** Results of ended connections are forgotten automatically. */
type Results = Map<string, Row | undefined>;

/**
 * Trade requests of dealers: queued, carried out a moment later, told to the asking session only.
 */
export class Dealer {
  readonly #store: Store;
  readonly #broker: Broker;
  readonly #results = new WeakMap<object, Results>();
  #number = 0;
  #queued = 0;
  /** How long a request waits to be carried out. */
  delayMs = 1;
  /** How orders may be filled: 0 fill or kill, 1 immediate or cancel, 2 return. */
  fillings: readonly number[] = [0, 1, 2];
  /** Refuses every request with this, for example 10018 Market is closed. */
  refusal: string | null = null;

  constructor(store: Store) {
    this.#store = store;
    this.#broker = new Broker(store);
  }

  send(request: Row, connection: object): Row {
    const action = Number(request.Action);
    if (!(action >= 200 && action <= 255)) throw new Refusal(BAD_PARAMETERS);
    if (this.#queued >= MAX_QUEUED) throw new Refusal('10024 Too many requests');
    this.#number += 1;
    this.#queued += 1;
    const id = String(this.#number);
    const results = this.#results.get(connection) ?? new Map();
    this.#results.set(connection, results);
    results.set(id, undefined);
    setTimeout(() => {
      this.#queued -= 1;
      results.set(id, { Login: request.Login, ResultRetcode: this.#carryOut(action, request) });
    }, this.delayMs);
    return { id };
  }

  /** An empty list if there is no result yet; nothing for another session's requests. */
  results(ids: readonly string[], connection: object): Row {
    const results = this.#results.get(connection);
    const known = ids.filter((id) => results?.has(id));
    return Object.fromEntries(
      known.map((id) => {
        const answer = results?.get(id);
        if (answer) results?.delete(id);
        const [Retcode] = String(answer?.ResultRetcode).split(' ');
        return [id, answer ? [{ result: { ID: id, Retcode } }, { answer }] : []];
      }),
    );
  }

  #carryOut(action: number, request: Row): string {
    try {
      if (this.refusal) return this.refusal;
      if (action === 204) this.#broker.cancelOrder(Number(request.Order));
      else if (action === 200) this.#close(request);
      else return '10013 Invalid request';
      this.#store.save();
      return '10009 Request completed';
    } catch (error) {
      if (error instanceof Refusal) return error.retcode;
      throw error;
    }
  }

  #close(request: Row): void {
    const ticket = Number(request.Position);
    const position = this.#store.state.positions.find(({ Position: id }) => id === ticket);
    if (!position || position.Login !== Number(request.Login))
      throw new Refusal('10036 Position already closed');
    if (!this.fillings.includes(Number(request.TypeFill)))
      throw new Refusal('10030 Unsupported filling mode');
    if (Number(request.Type) === position.Action || Number(request.Flags) % 2 !== 1)
      throw new Refusal('10013 Invalid request');
    if (Number(request.VolumeExt) !== Math.round(position.Lots * 1e8))
      throw new Refusal('10038 Invalid close volume');
    if (!(Number(request.PriceOrder) > 0)) throw new Refusal('10015 Invalid price');
    this.#broker.closePosition(ticket);
  }
}

export const dealerCommands = (dealer: Dealer): Commands => ({
  '/api/dealer/send_request': ({ body, connection }) => ({ answer: dealer.send(body, connection) }),
  '/api/dealer/get_request_result': (request) => ({
    answer: dealer.results(text(request, 'id').split(','), request.connection),
  }),
});
