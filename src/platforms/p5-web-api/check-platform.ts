import { formatBrokerTime } from '../../domain/broker-time.ts';
import { CallCheck, type Tell } from '../call-check.ts';
import { parseServerAddress } from '../connection/server-address.ts';
import { stateOf } from './accounts.ts';
import { isUnsupported } from './batches.ts';
import { addedMargin, checkMarginOf } from './check-margin.ts';
import { P5Client } from './client.ts';
import { toDeal } from './deals.ts';
import { passwordKey } from './handshake.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import type { P5WebApiSettings } from './p5-web-api-gateway.ts';
import { numberOf, type P5Record, rowsOf, textOf } from './record.ts';
import { isNotFound } from './retcode.ts';
import { serverTimeMs } from './server-time.ts';
import { isPart, type P5Params } from './session.ts';

const DAYS_BACK_SEC = 30 * 86_400;
const DAY_SEC = 86_400;
const MONEY_DIGITS = 8;

/** Commands that change something: whether the manager may give them is not asked. */
const CHANGES = [
  '/api/user/add',
  '/api/user/update',
  '/api/user/change_password',
  '/api/user/check_password',
  '/api/trade/balance',
  '/api/dealer/send_request',
];

/**
 * Every command of a p5 server that Plimsoll reads with, and what it answered; those that change
 * something are named and left alone. Figures that two commands tell are compared.
 * @param login whose account is read; undefined: the first user of the first group that has any
 */
export async function checkP5Server(
  settings: P5WebApiSettings,
  login: number | undefined,
): Promise<CallCheck> {
  const address = parseServerAddress(settings.server, settings);
  const credentials = { login: settings.login, key: passwordKey(settings.password) };
  const client = new P5Client(address, credentials, DEFAULT_LIMITS);
  try {
    return await new ServerCheck(client).run(login);
  } finally {
    await client.close();
  }
}

class ServerCheck {
  readonly #client: P5Client;
  readonly #check = new CallCheck(isUnsupported);

  constructor(client: P5Client) {
    this.#client = client;
  }

  async run(wanted: number | undefined): Promise<CallCheck> {
    const time = await this.#ask('/api/time/server', {}, (answer) =>
      formatBrokerTime(serverTimeMs(answer)),
    );
    // Without a session everything else would fail alike.
    if (!time) return this.#check;
    const nowSec = Math.floor(serverTimeMs(time) / 1000);
    await this.#ask('/api/group/total', {}, totalIn('groups'));
    const groups = await this.#ask('/api/group/next', { index: 0, count: 100 }, rowsIn('groups'));
    const list = await this.#ask('/api/symbol/list', {}, rowsIn('symbols'));
    await this.#ask('/api/symbol/get', { mask: '*' }, rowsIn('symbols'), true);
    let login = wanted;
    for (const row of rowsOf(groups?.answer)) {
      const group = textOf(row, 'Group');
      if (login !== undefined || group === '') break;
      const tell: Tell<P5Record> = (answer) => `${rowsOf(answer.answer).length} users of ${group}`;
      const users = await this.#ask('/api/user/get_batch', { group }, tell);
      login = rowsOf(users?.answer).map((user) => numberOf(user, 'Login'))[0];
    }
    if (login === undefined) this.#check.note('/api/user/get', 'not called', 'no login is known');
    else await this.#ofLogin(login, nowSec, firstText(list));
    for (const call of CHANGES) this.#check.note(call, 'not called', 'it changes something');
    return this.#check;
  }

  async #ofLogin(login: number, nowSec: number, symbol: string | undefined): Promise<void> {
    const found = await this.#ask('/api/user/get', { login }, (answer) => {
      const [row] = rowsOf(answer.answer);
      return row && numberOf(row, 'Login') === login
        ? `of ${textOf(row, 'Group')}`
        : new Error('it answers another login than it was asked for');
    });
    const [user] = rowsOf(found?.answer);
    const tellMoney: Tell<P5Record> = (answer) => {
      const row = rowsOf(answer.answer).find((each) => numberOf(each, 'Login') === login);
      // Of accounts without any activity the server has no state.
      if (!row) return 'no state, as of an account without activity';
      const { balance, credit, equity } = stateOf(row, row);
      return user === undefined || balance === stateOf(undefined, user).balance
        ? `balance ${balance}, credit ${credit}, equity ${equity}`
        : new Error(`it tells the balance ${balance}, and /api/user/get another`);
    };
    await this.#ask('/api/user/account/get', { login }, tellMoney);
    await this.#ask('/api/user/account/get_batch', { login }, tellMoney);
    await this.#deals(login, { from: Math.max(0, nowSec - DAYS_BACK_SEC), to: nowSec + DAY_SEC });
    for (const kind of ['position', 'order']) {
      await this.#ask(`/api/${kind}/get_total`, { login }, totalIn(`${kind}s`));
      await this.#ask(`/api/${kind}/get_batch`, { login }, rowsIn(`${kind}s`));
    }
    const group = user && textOf(user, 'Group');
    if (!group) return;
    await this.#ask('/api/group/get', { group }, (answer) => {
      const [row = {}] = rowsOf(answer.answer);
      return `${textOf(row, 'Currency')}, margin mode ${textOf(row, 'MarginMode')}`;
    });
    if (symbol === undefined) return;
    await this.#ask('/api/symbol/get_group', { symbol, group }, rowsIn('symbols'));
    await this.#ask('/api/tick/last_group', { symbol, group, trans_id: 0 }, rowsIn('quotes'));
    const order = { login, symbol, type: 'ORDER_TYPE_BUY', volume: 1, openPrice: 1 } as const;
    const { command, params } = checkMarginOf(order);
    await this.#ask(command, params, (answer) => `${addedMargin(answer)} for a lot of ${symbol}`);
  }

  async #deals(login: number, range: { from: number; to: number }): Promise<void> {
    const params = { login, ...range };
    const total = await this.#ask('/api/deal/get_total', params, totalIn('deals in 30 days'));
    await this.#ask('/api/deal/get_batch', params, (answer) => {
      const rows = rowsOf(answer.answer);
      for (const row of rows) toDeal(row, MONEY_DIGITS);
      const count = total && totalOf(total);
      return count === undefined || count === rows.length
        ? `${rows.length} deals`
        : new Error(`it has ${rows.length} deals, /api/deal/get_total counts ${count}`);
    });
    const page = { ...params, offset: 0, total: 100 };
    await this.#ask('/api/deal/get_page', page, rowsIn('deals of a page'));
  }

  #ask(command: string, params: P5Params, tell: Tell<P5Record>, takesPart = false) {
    const ask = () =>
      this.#client.call({ command, params, takesPart }).catch((error: unknown) => {
        // Nothing of the kind is an answer.
        if (isNotFound(error)) return { retcode: '13 Not found', answer: [] };
        throw error;
      });
    return this.#check.make(command, ask, tell);
  }
}

const totalOf = ({ answer }: P5Record): number => {
  const [row = {}] = rowsOf(answer);
  return numberOf(row, 'total') || numberOf(row, 'Total');
};

const totalIn =
  (what: string): Tell<P5Record> =>
  (answer) =>
    `${totalOf(answer)} ${what}`;

const rowsIn =
  (what: string): Tell<P5Record> =>
  (answer) => {
    const count = Array.isArray(answer.answer)
      ? answer.answer.length
      : rowsOf(answer.answer).length;
    return `${count} ${what}${isPart(answer) ? ', a part of them' : ''}`;
  };

const firstText = (list: P5Record | undefined): string | undefined =>
  Array.isArray(list?.answer) && typeof list.answer[0] === 'string' ? list.answer[0] : undefined;
