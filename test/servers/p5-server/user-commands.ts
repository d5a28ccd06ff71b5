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
  ['zipcode', 'ZIPCode', ''],
  ['', 'FirstName', ''],
  ['', 'MiddleName', ''],
  ['', 'LastName', ''],
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
    const login = text(request, 'login') || text(request, 'Login');
    const user = /^\d+$/.test(login) ? store.user(Number(login)) : undefined;
    if (!user || !visible(user.Group)) throw new Refusal(NOT_FOUND);
    return user;
  };
  const select = (request: Request): User[] => {
    const logins = text(request, 'login');
    const masks = text(request, 'group');
    if ((logins === '') === (masks === '')) throw new Refusal(BAD_PARAMETERS);
    const candidates =
      masks === ''
        ? logins.split(',').map((login) => store.user(Number(login)))
        : [...store.users()].filter(({ Group }) => matchesMasks(Group, masks));
    const found = candidates.flatMap((user) => (user && visible(user.Group) ? [user] : []));
    if (found.length === 0) throw new Refusal(NOT_FOUND);
    return found;
  };
  return {
    '/api/user/add': (request) => addUser(store, visible, request),
    '/api/user/get': (request) => ({ answer: printed(find(request)) }),
    '/api/user/get_batch': (request) => ({ answer: select(request).map(printed) }),
    '/api/user/update': (request) => ({ answer: printed(updateUser(store, visible, request)) }),
    '/api/user/delete': (request) => {
      store.removeUser(find(request).Login);
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
    '/api/trade/check_margin': (request) => {
      const lots = integer(request, 'volume') / 1e8;
      const type = integer(request, 'type');
      return { answer: broker.checkMargin(find(request), text(request, 'symbol'), type, lots) };
    },
    '/api/trade/balance': (request) => {
      const { Login } = find(request);
      const [type, amount] = [integer(request, 'type'), Number(text(request, 'balance'))];
      requireMoney(broker, store.mustUser(Login), type, amount);
      const comment = text(request, 'comment').slice(0, 31);
      const deal = broker.deposit(Login, amount, comment, type);
      store.save();
      return { answer: { Ticket: deal.Deal } };
    },
  };
}

/** The bounds of balance operations, with the check of the free margin that is on by default. */
function requireMoney(broker: Broker, user: User, type: number, amount: number): void {
  if (type < 2 || type > 6 || !Number.isFinite(amount)) throw new Refusal(BAD_PARAMETERS);
  if (Math.abs(amount) > 1e9) throw new Refusal('4005 Too large amount');
  const free = Number(broker.account(user)?.MarginFree ?? user.Balance + user.Credit);
  const available = type === 3 ? user.Credit : Math.min(user.Balance, free);
  if (amount < 0 && available + amount < 0) throw new Refusal('10019 Not enough money');
}

/** The money, and what the server alone knows. */
const OWN_FIELDS = ['Login', 'Balance', 'Credit', 'Registration'];

/**
 * Fields that are given are changed, by their exact names; others stay as they are. Switched over,
 * the whole record is replaced. Either way a leverage that the server dislikes silently stays
 * unchanged, and so does the money.
 */
function updateUser(store: Store, visible: (group: string) => boolean, request: Request): User {
  const { body } = request;
  const { state } = store;
  state.updates.push(Object.keys(body));
  const user = store.mustUser(Number(body.Login));
  const { Group, Leverage } = user;
  const wantedGroup = String(body.Group ?? (state.replacesRecords ? '' : Group));
  const group = state.groups.find((each) => each.Group === wantedGroup);
  const before = state.groups.find((each) => each.Group === Group);
  if (!group || !visible(group.Group)) {
    if (!state.replacesRecords || body.Group !== undefined) throw new Refusal(NOT_FOUND);
  } else if (before && before.Currency !== group.Currency) throw new Refusal('3010 Other currency');
  const own = Object.fromEntries(OWN_FIELDS.map((name) => [name, user[name]]));
  const given = Object.entries(body).filter(([name]) => state.replacesRecords || name in user);
  if (state.replacesRecords) for (const key of Object.keys(user)) delete user[key];
  const wanted = Number(body.Leverage);
  const isGood = Number.isInteger(wanted) && wanted >= 1 && wanted <= 500;
  Object.assign(user, Object.fromEntries(given), own, { Group: group?.Group ?? Group });
  user.Leverage = isGood ? wanted : Leverage;
  store.save();
  return user;
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
  const spelt = (name: string) =>
    store.state.writesZipCode && name === 'ZIPCode' ? 'ZipCode' : name;
  for (const [inQuery, inBody, fallback] of USER_FIELDS)
    user[spelt(inBody)] = request.body[spelt(inBody)] ?? request.query.get(inQuery) ?? fallback;
  store.addUser(user);
  store.state.passwords[String(login)] = { main, investor };
  store.save();
  return { login, answer: printed(user) };
}

const printed = (user: User): Row => ({
  ...user,
  Balance: user.Balance.toFixed(2),
  Credit: user.Credit.toFixed(2),
});
