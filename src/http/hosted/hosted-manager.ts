import { type Fields, renamed } from '../../contract/hosted-names.ts';
import { ServiceError } from '../../services/errors.ts';
import { emptied, type HostedAnswer, type HostedCall, type HostedRow } from './hosted-row.ts';

const PROFILE = '/users/current/:family/provisioning-profiles/:profileId';
const ACCOUNT = `${PROFILE}/accounts/:login`;

const pathOf = ({ params }: HostedCall, rest = ''): string =>
  `/users/current/${params.family}/provisioning-profiles/${params.profileId}/accounts/${params.login}${rest}`;

const changeAccount = async (call: HostedCall, body: Fields): Promise<HostedAnswer> =>
  emptied(await call.ask({ method: 'PATCH', path: pathOf(call), body }));

/** One of the groups of a platform, which are answered as a list here. */
async function readGroup({ params, ask }: HostedCall): Promise<HostedAnswer> {
  const { family, profileId, groupName = '' } = params;
  const path = `/users/current/${family}/provisioning-profiles/${profileId}/groups`;
  const answer = await ask({ method: 'GET', path });
  if (answer.status !== 200) return answer;
  const name = decodeURIComponent(groupName);
  const group = (answer.body as (Fields | string)[]).find(
    (each) => (typeof each === 'string' ? each : each.name) === name,
  );
  if (group === undefined) throw new ServiceError('notFound', `There is no group "${name}"`);
  return { ...answer, body: group };
}

const enabling = (word: string, enabled: boolean): HostedRow => ({
  method: 'PUT',
  path: `${ACCOUNT}/${word}`,
  what: `sets \`enabled\` to ${enabled}`,
  answer: (call) => changeAccount(call, { enabled }),
});

export const MANAGER_ROWS: readonly HostedRow[] = [
  {
    method: 'GET',
    path: `${PROFILE}/groups/:groupName`,
    what: 'one of the groups',
    answer: readGroup,
  },
  {
    method: 'PUT',
    path: `${ACCOUNT}/enabled`,
    takes: ['enabled'],
    what: 'sets `enabled`',
    answer: (call) => changeAccount(call, renamed(call.body, { enabled: 'enabled' })),
  },
  enabling('enable', true),
  enabling('disable', false),
  {
    method: 'PUT',
    path: `${ACCOUNT}/readonly`,
    takes: ['readonly'],
    what: 'an account that is read only has `tradingEnabled` false',
    answer: (call) => {
      const { readonly } = call.body;
      const body = typeof readonly === 'boolean' ? { tradingEnabled: !readonly } : {};
      return changeAccount(call, body);
    },
  },
  {
    method: 'PUT',
    path: `${ACCOUNT}/password`,
    takes: ['password', 'type'],
    what: '`type` is master (default) or investor',
    answer: async (call) => {
      const { password, type = 'master' } = call.body;
      const body = { kind: type === 'master' ? 'main' : type, password };
      const answer = await call.ask({ method: 'POST', path: pathOf(call, '/password'), body });
      // Without a body, but 200 as it is documented.
      return answer.status < 300 ? { ...emptied(answer), status: 200 } : answer;
    },
  },
  {
    method: 'POST',
    path: `${ACCOUNT}/balance-transactions`,
    takes: ['amount', 'type', 'comment'],
    what: 'answers `{dealId}`. Send an `Idempotency-Key`: without, a request that is sent again is booked again',
    answer: async (call) => {
      const { type, ...rest } = renamed(call.body, {
        ...{ amount: 'amount', type: 'type', comment: 'comment' },
      });
      const dealType =
        typeof type === 'string' ? type.replace(/^DEAL_(?!TYPE_)/, 'DEAL_TYPE_') : type;
      const answer = await call.ask({
        ...{ method: 'POST', path: pathOf(call, '/balance-operations') },
        body: { ...rest, ...(type === undefined ? {} : { type: dealType }) },
        headers: { 'idempotency-key': call.requestId },
      });
      if (answer.status !== 201) return answer;
      const { dealId } = answer.body as { dealId: string };
      // A number there; one that is none, or too long for one, stays text.
      const number = Number(dealId);
      return {
        ...answer,
        ...{ status: 200, body: { dealId: Number.isSafeInteger(number) ? number : dealId } },
      };
    },
  },
  {
    method: 'POST',
    path: '/users/current/p4/provisioning-profiles/:profileId/accounts',
    takes: [
      ...['name', 'firstName', 'middleName', 'lastName', 'email', 'group', 'leverage', 'address'],
      ...['city', 'country', 'phone', 'state', 'zip', 'leadSource', 'leadCampaign', 'clientId'],
      'enabled',
    ],
    what: '`name` becomes `firstName` and `lastName`',
    answer: ({ params, body, ask }) => {
      const { name, ...rest } = body;
      const [firstName, ...others] = typeof name === 'string' ? name.trim().split(/\s+/) : [];
      const names = firstName === undefined ? {} : { firstName, lastName: others.join(' ') };
      const path = `/users/current/p4/provisioning-profiles/${params.profileId}/accounts`;
      return ask({ method: 'POST', path, body: { ...names, ...rest } });
    },
  },
];
