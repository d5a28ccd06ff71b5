import { Broker } from './broker.ts';
import { type Commands, integer, type Request, text } from './commands.ts';
import type { Store, User } from './state.ts';
import {
  BAD_PARAMETERS,
  isGoodPassword,
  matchesMasks,
  NO_PERMISSION,
  NOT_FOUND,
  Refusal,
  type Row,
} from './wire.ts';

/** Names of the query and names of the body, which are not the same, per field of a new user. */
const USER_FIELDS: readonly (readonly [string, string, unknown])[] = [
  ['rights', 'Rights', 355],
  ['name', 'Name', ''],
  ['company', 'Company', ''],
  ['country', 'Country', ''],
  ['city', 'City', ''],
  ['state', 'State', ''],
  ['zipcode', 'ZipCode', ''],
  ['address', 'Address', ''],
  ['phone', 'Phone', ''],
  ['email', 'Email', ''],
  ['comment', 'Comment', ''],
  ['agent', 'Agent', 0],
  ['', 'ClientID', 0],
  ['', 'MQID', ''],
  ['', 'LeadSource', ''],
  ['', 'LeadCampaign', ''],
];

export function userCommands(store: Store): Commands {
  const broker = new Broker(store);
  const visible = (name: string): boolean => matchesMasks(name, store.state.manager.groups);
  const find = (request: Request): User => {
    const user = store.user(integer(request, 'login'));
    if (!user || !visible(user.Group)) throw new Refusal(NOT_FOUND);
    return user;
  };
  const select = (request: Request): User[] => {
    const logins = text(request, 'login');
    const masks = text(request, 'group');
    if ((logins === '') === (masks === '')) throw new Refusal(BAD_PARAMETERS);
    const wanted = new Set(logins.split(',').map(Number));
    const found = store.state.users.filter(
      ({ Login, Group }) =>
        visible(Group) && (masks === '' ? wanted.has(Login) : matchesMasks(Group, masks)),
    );
    if (found.length === 0) throw new Refusal(NOT_FOUND);
    return found;
  };
  return {
    '/api/user/add': (request) => addUser(store, visible, request),
    '/api/user/get': (request) => ({ answer: printed(find(request)) }),
    '/api/user/get_batch': (request) => ({ answer: select(request).map(printed) }),
    '/api/user/update': ({ body }) => {
      const user = store.user(Number(body.Login));
      if (!user) throw new Refusal(NOT_FOUND);
      // The whole record is replaced: what the body leaves out is gone, but for the money.
      const { Login, Balance, Credit, Registration } = user;
      for (const key of Object.keys(user)) delete user[key];
      Object.assign(user, { Group: '', ...body, Login, Balance, Credit, Registration });
      store.save();
      return { answer: printed(user) };
    },
    '/api/user/delete': (request) => {
      const user = find(request);
      store.state.users = store.state.users.filter((other) => other !== user);
      store.save();
      return {};
    },
    '/api/user/logins': (request) => ({ answer: select(request).map(({ Login }) => Login) }),
    '/api/user/total': () => ({ answer: { total: store.state.users.length } }),
    '/api/user/group': (request) => ({ answer: { Group: find(request).Group } }),
    '/api/user/check_password': (request) => {
      const type = text(request, 'type') || text(request, 'Type') || 'main';
      const known = store.state.passwords[String(find(request).Login)];
      const sent = text(request, 'password') || text(request, 'Password');
      if (known?.[type === 'investor' ? 'investor' : 'main'] !== sent)
        throw new Refusal('3006 Invalid account password');
      return {};
    },
    '/api/user/change_password': (request) => {
      const login = Number(text(request, 'Login') || text(request, 'login'));
      const known = store.state.passwords[String(login)];
      if (!known) throw new Refusal(NOT_FOUND);
      const password = text(request, 'Password') || text(request, 'password');
      if (!isGoodPassword(password)) throw new Refusal('3006 Invalid account password');
      const type = text(request, 'Type') || text(request, 'type');
      known[type === 'investor' ? 'investor' : 'main'] = password;
      store.save();
      return {};
    },
    '/api/user/account/get': (request) => {
      const account = broker.account(find(request));
      if (!account) throw new Refusal(NOT_FOUND);
      return { answer: account };
    },
    '/api/user/account/get_batch': (request) => ({
      answer: select(request).flatMap((user) => broker.account(user) ?? []),
    }),
    '/api/trade/balance': (request) => {
      const amount = Number(text(request, 'balance'));
      const deal = broker.deposit(
        find(request).Login,
        amount,
        text(request, 'comment').slice(0, 32),
        integer(request, 'type'),
      );
      store.save();
      return { answer: { Ticket: deal.Deal } };
    },
  };
}

function addUser(store: Store, visible: (group: string) => boolean, request: Request): Row {
  const main = text(request, 'PassMain') || text(request, 'pass_main');
  const investor = text(request, 'PassInvestor') || text(request, 'pass_investor');
  const group = text(request, 'Group') || text(request, 'group');
  const leverage = Number(text(request, 'Leverage') || text(request, 'leverage') || '100');
  const wanted = Number(text(request, 'Login') || text(request, 'login') || '0');
  if (!store.state.groups.some(({ Group }) => Group === group)) throw new Refusal(NOT_FOUND);
  if (!visible(group)) throw new Refusal(NO_PERMISSION);
  if (!Number.isInteger(leverage) || leverage < 1 || leverage > 500)
    throw new Refusal(BAD_PARAMETERS);
  if (!isGoodPassword(main) || !isGoodPassword(investor) || main === investor)
    throw new Refusal('3006 Invalid account password');
  if (wanted !== 0 && store.user(wanted)) throw new Refusal('3004 Account already exists');
  const login = wanted || store.state.nextLogin++;
  const user: User = {
    Login: login,
    Group: group,
    Registration: Math.floor(store.now() / 1000),
    Leverage: leverage,
    Balance: 0,
    Credit: 0,
  };
  for (const [inQuery, inBody, fallback] of USER_FIELDS)
    user[inBody] = request.body[inBody] ?? request.query.get(inQuery) ?? fallback;
  store.state.users.push(user);
  store.state.passwords[String(login)] = { main, investor };
  store.save();
  return { login, answer: printed(user) };
}

const printed = (user: User): Row => ({
  ...user,
  Balance: user.Balance.toFixed(2),
  Credit: user.Credit.toFixed(2),
});
