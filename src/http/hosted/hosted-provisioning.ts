import {
  type Fields,
  HOSTED_PLATFORMS,
  platformOf,
  QUOTAS_BY_HOSTED_NAME,
  renamed,
} from '../../contract/hosted-names.ts';
import type { ProfileRecord } from '../../contract/operations/profiles.ts';
import { invalidParameter } from '../../services/errors.ts';
import {
  emptied,
  type HostedAnswer,
  type HostedCall,
  type HostedRow,
  withBody,
} from './hosted-row.ts';

const PROFILES = '/users/current/provisioning-profiles';
const PROFILE = `${PROFILES}/:profileId`;
const REGION = '/users/current/regions/:region/quotas';

const hostedProfile = (profile: ProfileRecord) => {
  const { id, name, platform, kind, brokerClock, connection } = profile;
  return {
    ...{ _id: id, name, version: HOSTED_PLATFORMS[platform].version },
    type: kind === 'simulated' ? kind : 'managerApi',
    status: connection.state === 'failing' || connection.state === 'locked' ? 'new' : 'active',
    ...{ brokerTimezone: brokerClock.zone, brokerDSTSwitchTimezone: brokerClock.zone },
    ...renamed(profile, { server: 'managerServer', login: 'managerLogin' }),
  };
};

/** The profiles of a version and status, as filters of the list. */
async function listProfiles(call: HostedCall): Promise<HostedAnswer> {
  const asked = new URLSearchParams(call.query);
  const [version, status] = ['version', 'status'].map((name) => {
    const value = asked.get(name);
    asked.delete(name);
    return value;
  });
  const answer = await call.ask({ method: 'GET', path: PROFILES, query: asked.toString() });
  return withBody(answer, (profiles: ProfileRecord[]) =>
    profiles
      .map(hostedProfile)
      .filter((one) => (version ? `${one.version}` === version : true))
      .filter((one) => (status ? one.status === status : true)),
  );
}

const BRIDGES = { p4: 'p4-bridge', p5: 'p5-web-api' } as const;
const MANAGER = { managerServer: 'server', managerLogin: 'login', managerPassword: 'password' };

function newProfile(body: Fields): Fields {
  if (body.version !== undefined && ![4, 5].includes(Number(body.version)))
    throw invalidParameter('version', 'must be 4 or 5');
  const platform = platformOf(body);
  const manager = { ...body, ...renamed(body, MANAGER), ...(body.manager as Fields | undefined) };
  const { server: host } = manager;
  // The hosted product names an address and a port.
  const server = typeof host === 'string' && !host.includes('://') ? `https://${host}` : host;
  const kind = server === undefined ? 'simulated' : BRIDGES[platform];
  const zone = body.brokerTimezone;
  return {
    ...{ name: body.name, platform, kind },
    ...(server === undefined ? {} : { server }),
    ...renamed(manager, { login: 'login', password: 'password' }),
    ...(zone === undefined ? {} : { brokerClock: { zone, shiftHours: 0 } }),
  };
}

/** The same quotas under the name that the hosted product has for one of them. */
const hostedQuotas = ({ maxDeployedCopyAccounts, ...quotas }: Fields): Fields => ({
  ...quotas,
  maxDeployedCopyFactoryAccounts: maxDeployedCopyAccounts,
});

const REQUESTED: Record<string, string> = {
  ...QUOTAS_BY_HOSTED_NAME,
  message: 'justification',
  justification: 'justification',
};

type QuotaRequest = { id: string; region: string; state: string; requested: Fields } & Fields;

const hostedRequest = ({ id, region, state, requested, ...rest }: QuotaRequest): Fields => ({
  ...{ id, _id: id, region, status: state, ...hostedQuotas(requested) },
  ...{ justification: rest.justification, createdAt: rest.createdAt, updatedAt: rest.updatedAt },
});

const readQuotas = (path: (call: HostedCall) => string) => async (call: HostedCall) =>
  withBody(await call.ask({ method: 'GET', path: path(call) }), (body: Fields | Fields[]) =>
    Array.isArray(body) ? body.map(hostedQuotas) : hostedQuotas(body),
  );

const regionPath = ({ params }: HostedCall): string =>
  `/users/current/regions/${params.region}/quotas`;
const profilePath = ({ params }: HostedCall): string => `${PROFILES}/${params.profileId}`;

export const PROVISIONING_ROWS: readonly HostedRow[] = [
  {
    method: 'GET',
    path: '/users/current/servers/mt-client-api',
    what: 'the first call of the client libraries: answers the address that was asked',
    answer: async (call) => {
      const token = await call.ask({ method: 'GET', path: '/users/current/token' });
      const { host } = call;
      return withBody(token, () => ({ hostname: host, domain: host, url: `http://${host}` }));
    },
  },
  {
    method: 'GET',
    path: PROFILES,
    what: 'records with `_id`, `version`, `status` and `brokerTimezone`; `version` and `status` filter each page of the list',
    answer: listProfiles,
  },
  {
    method: 'GET',
    path: PROFILE,
    what: 'the same for one',
    answer: async (call) =>
      withBody(await call.ask({ method: 'GET', path: profilePath(call) }), hostedProfile),
  },
  {
    method: 'POST',
    path: PROFILES,
    takes: [
      ...['name', 'version', 'platform', 'server', 'login', 'password', 'manager'],
      ...Object.keys(MANAGER),
      'brokerTimezone',
    ],
    what: 'with `managerServer`, a p5 server or a p4 bridge is asked with `managerLogin` and `managerPassword`; without, the platform is simulated, and the `type` of the profile says so',
    answer: (call) => call.ask({ method: 'POST', path: PROFILES, body: newProfile(call.body) }),
  },
  {
    method: 'PUT',
    path: PROFILE,
    takes: ['name'],
    what: 'changes `name`',
    answer: async (call) => {
      const body = renamed(call.body, { name: 'name' });
      return emptied(await call.ask({ method: 'PATCH', path: profilePath(call), body }));
    },
  },
  {
    method: 'GET',
    path: '/users/current/quotas',
    what: '`maxDeployedCopyAccounts` is called `maxDeployedCopyFactoryAccounts`',
    answer: readQuotas(() => '/users/current/quotas'),
  },
  { method: 'GET', path: REGION, what: 'the same', answer: readQuotas(regionPath) },
  {
    method: 'PATCH',
    path: REGION,
    takes: Object.keys(REQUESTED),
    what: '`message` is the justification',
    answer: (call) => {
      const body = renamed(call.body, REQUESTED);
      return call.ask({ method: 'PATCH', path: regionPath(call), body });
    },
  },
  {
    method: 'GET',
    path: '/users/current/quota-update-requests',
    what: 'the quota requests',
    answer: async (call) => {
      const { query } = call;
      const answer = await call.ask({
        method: 'GET',
        path: '/users/current/quota-requests',
        query,
      });
      return withBody(answer, (requests: QuotaRequest[]) => requests.map(hostedRequest));
    },
  },
];
