import type { FastifyInstance } from 'fastify';
import {
  changePersonOperation,
  inviteAgainOperation,
  invitePersonOperation,
  listPeopleOperation,
  MAX_PEOPLE_PAGE,
  removePersonOperation,
} from '../../../contract/operations/people.ts';
import { actorOf } from '../../../services/changes.ts';
import type { Context } from '../../../services/context.ts';
import {
  changePerson,
  inviteAgain,
  invitePerson,
  ownedBy,
  presentPerson,
  readPeople,
  removePerson,
} from '../../../services/people/people.ts';
import { rightsUntil } from '../../../services/users/own-tokens.ts';
import { addRoute } from '../../add-route.ts';
import { sendPage } from '../../send-page.ts';

/** The people of a user, for whoever has the rights of an owner. */
export function registerPeople(server: FastifyInstance, context: Context): void {
  addRoute(server, listPeopleOperation, async ({ principal, query, ...call }) =>
    sendPage(
      call,
      await readPeople(context, ownedBy(principal), { limit: MAX_PEOPLE_PAGE, ...query }),
      presentPerson,
    ),
  );
  addRoute(server, invitePersonOperation, async ({ principal, body }) => {
    const userId = ownedBy(principal);
    const untilMs = await rightsUntil(context, principal);
    return invitePerson(context, actorOf(principal), userId, body, untilMs);
  });
  addRoute(server, inviteAgainOperation, ({ principal, params }) =>
    inviteAgain(context, actorOf(principal), ownedBy(principal), params.id),
  );
  addRoute(server, changePersonOperation, async ({ principal, params, body }) =>
    presentPerson(
      await changePerson(context, actorOf(principal), ownedBy(principal), params.id, body),
    ),
  );
  addRoute(server, removePersonOperation, ({ principal, params, query }) =>
    removePerson(context, actorOf(principal), ownedBy(principal), params.id, query.withMade),
  );
}
