import { createServer, type Server } from 'node:http';
import { type AccessServer, readJson } from './access-server.ts';
import { Broker } from './broker.ts';
import type { Fault, Faults } from './faults.ts';
import type { Bulk, Store } from './state.ts';
import { Refusal, type Row } from './wire.ts';

type Action = (body: Row) => unknown;

/** The switchboard of the test server: trades, clock, faults; plain JSON over a port of its own. */
export function controlServer(store: Store, access: AccessServer, faults: Faults): Server {
  const broker = new Broker(store);
  const { state } = store;
  const login = (body: Row): number => Number(body.login);
  const actions: Record<string, Action> = {
    '/fault': (body) => faults.add(body as Partial<Fault> & Pick<Fault, 'kind'>),
    '/faults/clear': () => faults.clear(),
    '/drop-sessions': () => access.dropSessions(),
    '/drop-silent': () => access.dropSilent(),
    '/seen': () => ({
      requests: access.log,
      sessions: access.sessions,
      connections: access.connections,
    }),
    '/state': () => state,
    '/deposit': (body) =>
      broker.deposit(login(body), Number(body.amount), String(body.comment ?? ''), 2),
    '/credit': (body) =>
      broker.deposit(login(body), Number(body.amount), String(body.comment ?? ''), 3),
    '/open': (body) =>
      broker.open(
        login(body),
        String(body.symbol),
        body.side === 'sell' ? 'sell' : 'buy',
        Number(body.lots),
      ),
    '/place': (body) =>
      broker.place(
        login(body),
        String(body.symbol),
        Number(body.type),
        Number(body.lots),
        Number(body.price),
      ),
    '/dealer': (body) => Object.assign(access.dealer, body),
    '/habits': (body) => Object.assign(state, body),
    '/group': (body) => {
      for (const group of state.groups)
        if (group.Group === body.group) Object.assign(group, body.fields);
    },
    '/user': (body) => Object.assign(store.mustUser(login(body)), body.fields),
    '/network': (body) => Object.assign(access, body),
    '/bulk': (body) => {
      const bulk = { first: 500_000, groups: 1, balance: 10_000, ...body } as Bulk;
      state.bulk = bulk;
      for (let index = 0; index < bulk.groups; index += 1) {
        const [template] = state.groups;
        if (template) state.groups.push({ ...template, Group: `${bulk.group}-${index}` });
      }
    },
    '/symbols': (body) => {
      const [like] = state.symbols;
      const names = body.names as string[];
      for (const path of names)
        state.symbols.push({ ...like, Symbol: path.slice(path.lastIndexOf('\\') + 1), Path: path });
    },
    '/close': (body) => broker.closePosition(Number(body.position)),
    '/deal': (body) => broker.book(login(body), body.fields as Row, body.moves),
    '/deals': (body) => {
      for (let index = 0; index < Number(body.count); index += 1)
        broker.book(login(body), { Profit: 1, Comment: `bulk ${index}` });
    },
    '/deal/edit': (body) => broker.edit(Number(body.deal), body.fields as Row),
    '/deal/delete': (body) => broker.remove(Number(body.deal)),
    '/clock': (body) => {
      state.clockShiftMs += Number(body.hours) * 3_600_000;
    },
    '/manager': (body) => Object.assign(state.manager, body),
    '/quote': (body) => {
      state.transaction += 1;
      const { symbol, bid, ask } = body;
      state.quotes = state.quotes.filter((quote) => quote.Symbol !== symbol);
      state.quotes.push({
        Symbol: String(symbol),
        Bid: Number(bid),
        Ask: Number(ask),
        changed: state.transaction,
      });
    },
  };
  const server = createServer(async (incoming, outgoing) => {
    const action = actions[incoming.url ?? ''];
    try {
      if (!action) throw new Refusal('unknown control call');
      const answer = action(await readJson(incoming)) ?? {};
      store.save();
      outgoing.end(JSON.stringify(answer));
    } catch (error) {
      outgoing.statusCode = 400;
      outgoing.end(JSON.stringify({ error: String(error) }));
    }
  });
  // A test that pauses would send its next call into a connection that is just being closed.
  server.keepAliveTimeout = 0;
  return server;
}
