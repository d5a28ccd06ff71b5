import type { FastifyInstance } from 'fastify';
import {
  accountInformationOperation,
  groupAccountsOperation,
  openAccountOperation,
  readP4UserOperation,
  readP5UserOperation,
  symbolsGroupOperation,
} from '../../../contract/operations/platform-accounts.ts';
import type { PlatformContext } from '../../../services/profiles/access-profile.ts';
import { openPlatformAccount } from '../../../services/profiles/open-platform-account.ts';
import { readAccountInformation } from '../../../services/profiles/read-account-information.ts';
import { readGroupUsers } from '../../../services/profiles/read-group-users.ts';
import {
  type PlatformUser,
  readPlatformUser,
} from '../../../services/profiles/read-platform-user.ts';
import { readSymbols } from '../../../services/profiles/read-symbols.ts';
import { addRoute } from '../../add-route.ts';

export function registerPlatformAccounts(server: FastifyInstance, context: PlatformContext): void {
  addRoute(server, symbolsGroupOperation, ({ principal, params, query }) =>
    readSymbols(context, principal, params.profileId, query.group),
  );
  for (const platform of ['p4', 'p5'] as const) {
    addRoute(server, openAccountOperation(platform), ({ principal, params, headers, body }) => {
      const key = headers['idempotency-key'];
      const idempotencyKey = typeof key === 'string' ? key : undefined;
      const place = { platform, profileId: params.profileId, idempotencyKey };
      return openPlatformAccount(context, principal, place, body);
    });
  }
  registerReads(server, context, 'GET');
  registerReads(server, context, 'POST');
}

function registerReads(
  server: FastifyInstance,
  context: PlatformContext,
  method: 'GET' | 'POST',
): void {
  addRoute(server, readP5UserOperation(method), ({ principal, params }) =>
    readPlatformUser(context, principal, { platform: 'p5', ...params }),
  );
  addRoute(server, readP4UserOperation(method), async ({ principal, params }) =>
    withoutLead(await readPlatformUser(context, principal, { platform: 'p4', ...params })),
  );
  for (const platform of ['p4', 'p5'] as const) {
    addRoute(server, accountInformationOperation(platform, method), ({ principal, params }) =>
      readAccountInformation(context, principal, { platform, ...params }),
    );
    addRoute(
      server,
      groupAccountsOperation(platform, method),
      async ({ principal, params: { profileId, groupName } }) => {
        const place = { platform, profileId, group: groupName };
        return (await readGroupUsers(context, principal, place)).map(withoutLead);
      },
    );
  }
}

/** Lead fields are part of the single read of p5 only. */
function withoutLead(user: PlatformUser): Omit<PlatformUser, 'leadSource' | 'leadCampaign'> {
  const { leadSource: _source, leadCampaign: _campaign, ...rest } = user;
  return rest;
}
