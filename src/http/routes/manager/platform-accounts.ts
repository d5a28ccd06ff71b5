import type { FastifyInstance } from 'fastify';
import {
  accountInformationOperation,
  groupAccountsOperation,
  groupsOperation,
  openAccountOperation,
  p5SymbolsOperation,
  readP4UserOperation,
  readP5UserOperation,
  symbolsGroupOperation,
} from '../../../contract/operations/platform-accounts.ts';
import { openAccount } from '../../../services/platform-accounts/open-account.ts';
import {
  type PlatformUser,
  readAccountInformation,
  readGroups,
  readGroupUsers,
  readP4Symbols,
  readP5Symbols,
  readPlatformUser,
} from '../../../services/platform-accounts/read-platform.ts';
import type { PlatformContext } from '../../../services/platform-accounts/use-platform.ts';
import { PLATFORMS } from '../../../words/accounts.ts';
import { addRoute } from '../../add-route.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

export function registerPlatformAccounts(server: FastifyInstance, context: PlatformContext): void {
  addRoute(server, symbolsGroupOperation, ({ principal, params, query }) =>
    readP4Symbols(context, principal, { ...params, group: query.group }),
  );
  addRoute(server, p5SymbolsOperation, ({ principal, params, query }) =>
    readP5Symbols(context, principal, { ...params, mask: query.mask }),
  );
  for (const platform of PLATFORMS) {
    addRoute(server, groupsOperation(platform), ({ principal, params }) =>
      readGroups(context, principal, { platform, ...params }),
    );
    addRoute(server, openAccountOperation(platform), ({ principal, params, headers, body }) => {
      const place = { platform, ...params, idempotencyKey: idempotencyKeyOf(headers) };
      return openAccount(context, principal, place, body);
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
  for (const platform of PLATFORMS) {
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
