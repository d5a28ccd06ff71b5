import { type Command, Option } from 'commander';
import { decideQuotaRequest } from '../services/quotas/decide-quota-request.ts';
import {
  type ListedQuotaRequest,
  listQuotaRequests,
} from '../services/quotas/list-quota-requests.ts';
import { QUOTA_DECISIONS, QUOTA_REQUEST_STATES } from '../words/service.ts';
import { addPageOptions, type PageOptions } from './page-options.ts';
import { printRecords } from './print.ts';
import { commandActor, type WithContext } from './with-context.ts';

const STATES = [...QUOTA_REQUEST_STATES, 'all'] as const;
const MAX_MESSAGE_LENGTH = 2000;

/** `plimsoll quota list|approve|decline`. */
export function addQuotaCommands(program: Command, withContext: WithContext): void {
  const quota = program.command('quota').description('manage quota requests');
  addPageOptions(
    quota
      .command('list')
      .description('list quota requests, newest first')
      .addOption(new Option('--state <state>', 'which').choices(STATES).default('pending')),
  ).action((options: PageOptions & { state: (typeof STATES)[number] }) =>
    withContext(async (context) => {
      const { state, limit, offset, json } = options;
      const which = state === 'all' ? undefined : state;
      const requests = await listQuotaRequests(context, { state: which, limit, offset });
      const columns = {
        ID: (request: ListedQuotaRequest) => request.id,
        CREATED: (request: ListedQuotaRequest) => request.createdAt,
        USER: (request: ListedQuotaRequest) => request.email,
        REGION: (request: ListedQuotaRequest) => request.region,
        STATE: (request: ListedQuotaRequest) => request.state,
        REQUESTED: (request: ListedQuotaRequest) => asText(request.requested),
        USED: currentText,
        JUSTIFICATION: (request: ListedQuotaRequest) => request.justification,
      };
      printRecords(requests, columns, json);
    }),
  );
  for (const decision of QUOTA_DECISIONS) {
    quota
      .command(decision)
      .description(`${decision} a request; the user is notified by e-mail`)
      .argument('<id>', 'id of the request')
      .option('--message <text>', 'message to the user')
      .option('--json', 'print JSON', false)
      .action((id: string, options: { message?: string; json: boolean }) =>
        withContext(async (context) => {
          const message = options.message?.slice(0, MAX_MESSAGE_LENGTH);
          await decideQuotaRequest(context, commandActor(), id, { decision, message });
          const state = decision === 'approve' ? 'approved' : 'declined';
          console.log(options.json ? JSON.stringify({ id, state }) : `Request ${id} ${state}`);
        }),
      );
  }
}

/** Of requested quotas: the used number, and the maximum. */
const currentText = ({ requested, current }: ListedQuotaRequest): string | undefined =>
  current &&
  (Object.keys(requested) as (keyof typeof requested)[])
    .map((name) => `${name}=${current[name].used}/${current[name].max}`)
    .join(' ');

const asText = (quotas: object): string =>
  Object.entries(quotas)
    .map(([name, maximum]) => `${name}=${maximum}`)
    .join(' ');
