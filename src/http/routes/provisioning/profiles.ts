import type { FastifyInstance } from 'fastify';
import {
  createProfileOperation,
  deleteProfileOperation,
  listProfilesOperation,
  type ProfileRecord,
  readProfileOperation,
  updateProfileOperation,
} from '../../../contract/operations/profiles.ts';
import { accessProfile, type Profile } from '../../../services/profiles/access-profile.ts';
import {
  createProfile,
  type ProfileContext,
  profileFaults,
} from '../../../services/profiles/create-profile.ts';
import { deleteProfile } from '../../../services/profiles/delete-profile.ts';
import { listProfiles } from '../../../services/profiles/list-profiles.ts';
import { updateProfile } from '../../../services/profiles/update-profile.ts';
import { addRoute } from '../../add-route.ts';
import { sendOffsetPage } from '../../send-page.ts';

export function registerProfiles(server: FastifyInstance, context: ProfileContext): void {
  const present = async (profile: Profile): Promise<ProfileRecord> => {
    const { secretKeyId } = profile;
    const isLocked = secretKeyId !== null && !(await context.secrets.canOpen(secretKeyId));
    return presentProfile(profile, isLocked);
  };
  addRoute(
    server,
    createProfileOperation,
    ({ principal, body }) => createProfile(context, principal, body),
    { moreFaults: ({ body }) => profileFaults(body) },
  );
  addRoute(server, listProfilesOperation, ({ principal, query, ...call }) =>
    sendOffsetPage(call, query, async (page) => {
      const found = await listProfiles(context, principal, page);
      return await Promise.all(found.map(present));
    }),
  );
  addRoute(server, readProfileOperation, async ({ principal, params }) =>
    present(await accessProfile(context, principal, params.profileId)),
  );
  addRoute(server, updateProfileOperation, async ({ principal, params, body }) =>
    present(await updateProfile(context, principal, params.profileId, body)),
  );
  addRoute(server, deleteProfileOperation, ({ principal, params, query }) =>
    deleteProfile(context, principal, params.profileId, query),
  );
}

/** Field by field, so that no secret gets into the answer. */
function presentProfile(profile: Profile, isLocked: boolean): ProfileRecord {
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
    allowedActions: profile.allowedActions,
    createdAt: isoOf(profile.createdAtMs),
    connection: {
      state: isLocked ? 'locked' : stateOf(profile),
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
