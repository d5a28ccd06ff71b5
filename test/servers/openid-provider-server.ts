import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';

export type ProviderPerson = {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
};

export type ProviderServer = {
  issuer: string;
  /** By the name with which they sign in. Tests change them. */
  people: Map<string, ProviderPerson>;
  /** How many tokens it has given. */
  tokens(): number;
  close(): Promise<void>;
};

export const CLIENT = { id: 'plimsoll', secret: 'a-secret-that-only-this-provider-knows' };

/** A real OpenID provider on this machine. Its page of signing in asks for a name alone. */
export async function startProvider(home: string): Promise<ProviderServer> {
  const people = new Map<string, ProviderPerson>();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, configurationFor(home, people));
  let tokens = 0;
  provider.on('grant.success', () => {
    tokens += 1;
  });
  const answer = provider.callback();
  provider.on('backchannel.error', (_, error) => console.error('the logout was not told', error));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isOurs = request.url?.startsWith('/interaction/') ?? false;
    if (isOurs) void askForName(provider, request, response);
    else void answer(request, response);
  });
  return {
    ...{ issuer, people, tokens: () => tokens },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function configurationFor(home: string, people: Map<string, ProviderPerson>): Configuration {
  return {
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
        redirect_uris: [`${home}/session/provider/callback`],
        post_logout_redirect_uris: [`${home}/`],
        backchannel_logout_uri: `${home}/session/provider/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people.get(id) }),
    }),
    // Nobody is asked what Plimsoll may know.
    async loadExistingGrant({ oidc: { client, session, provider } }) {
      const { clientId = '' } = client ?? {};
      const grant = new provider.Grant({ clientId, accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    // Without its agent, which calls no server on this machine.
    fetch: (url, { method = 'GET', headers = {}, body = null } = {}) =>
      fetch(url, { method, headers, body }),
    cookies: { keys: ['of this provider alone'] },
  };
}

async function askForName(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    const page =
      '<form method="post"><label>Name <input name="name"></label><button>Sign in</button>';
    response.setHeader('content-type', 'text/html').end(page);
    return;
  }
  const fields = new URLSearchParams((await request.toArray()).join(''));
  const name = fields.get('name');
  const result = name
    ? { login: { accountId: name } }
    : { error: 'access_denied', error_description: 'nobody signed in' };
  await provider.interactionFinished(request, response, result);
}
