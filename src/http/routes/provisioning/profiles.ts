import type { FastifyInstance } from 'fastify';
import {
  createProfileOperation,
  deleteProfileOperation,
  listProfilesOperation,
  type ProfileRecord,
  readProfileOperation,
} from '../../../contract/operations/profiles.ts';
import {
  accessProfile,
  type PlatformContext,
  type Profile,
} from '../../../services/profiles/access-profile.ts';
import { createProfile, profileFaults } from '../../../services/profiles/create-profile.ts';
import { deleteProfile } from '../../../services/profiles/delete-profile.ts';
import type { OpenGateway } from '../../../services/profiles/gateway-registry.ts';
import { listProfiles } from '../../../services/profiles/list-profiles.ts';
import type { SecretBox } from '../../../services/profiles/secret-box.ts';
import { addRoute } from '../../add-route.ts';

export function registerProfiles(
  server: FastifyInstance,
  context: PlatformContext & { secrets: SecretBox | undefined; openGateway: OpenGateway },
): void {
  addRoute(
    server,
    createProfileOperation,
    ({ principal, body }) => createProfile(context, principal, body),
    { moreFaults: ({ body }) => profileFaults(body) },
  );
  addRoute(server, listProfilesOperation, async ({ principal, query }) => {
    const page = { limit: query.limit ?? 1000, offset: query.offset ?? 0 };
    return (await listProfiles(context, principal, page)).map(presentProfile);
  });
  addRoute(server, readProfileOperation, async ({ principal, params }) =>
    presentProfile(await accessProfile(context, principal, params.profileId)),
  );
  addRoute(server, deleteProfileOperation, ({ principal, params }) =>
    deleteProfile(context, principal, params.profileId),
  );
}

/** Field by field, so that nothing secret can slip into the answer. */
function presentProfile(profile: Profile): ProfileRecord {
  const { lastSuccessMs, lastErrorMs, lastError } = profile;
  return {
    id: profile.id,
    name: profile.name,
    platform: profile.platform,
    kind: profile.kind,
    ...(profile.server === null ? {} : { server: profile.server }),
    ...(profile.login === null ? {} : { login: profile.login }),
    ...(profile.tlsFingerprint === null ? {} : { tlsFingerprint: profile.tlsFingerprint }),
    brokerClock: profile.brokerClock,
    createdAt: isoOf(profile.createdAtMs),
    connection: {
      state: stateOf(profile),
      ...(lastSuccessMs === null ? {} : { lastSuccessAt: isoOf(lastSuccessMs) }),
      ...(lastErrorMs === null ? {} : { lastErrorAt: isoOf(lastErrorMs) }),
      ...(lastError === null ? {} : { lastError }),
    },
  };
}

function stateOf({ lastSuccessMs, lastErrorMs }: Profile): ProfileRecord['connection']['state'] {
  if (lastSuccessMs === null && lastErrorMs === null) return 'untried';
  return (lastErrorMs ?? 0) > (lastSuccessMs ?? 0) ? 'failing' : 'working';
}

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();
