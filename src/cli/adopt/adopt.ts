import { type Command, InvalidArgumentError, Option } from 'commander';
import { findUser } from '../../services/users/find-user.ts';
import { printRecords } from '../print.ts';
import { commandActor, type WithContext } from '../with-context.ts';
import { Adoption, type Step } from './adoption.ts';
import { HostedApi } from './hosted-api.ts';

type Options = {
  from: URL;
  risk?: URL;
  client?: URL;
  token: string;
  user: string;
  yes: boolean;
  json: boolean;
};

/** `plimsoll adopt --from URL --token TOKEN --user USER`. */
export function addAdoptCommand(program: Command, withContext: WithContext): void {
  program
    .command('adopt')
    .description('take over accounts, trackers and quotas of a user of the hosted product')
    .requiredOption('--from <url>', 'its base address of provisioning', readUrl)
    .option('--risk <url>', 'its base address of risk management, if another', readUrl)
    .option('--client <url>', 'its base address of the client API, if another', readUrl)
    .addOption(
      new Option('--token <token>', 'token of the user there')
        .env('HOSTED_TOKEN')
        .makeOptionMandatory(),
    )
    .requiredOption('--user <user>', 'id or e-mail address of the user here')
    .option('--yes', 'do it; otherwise it only says what it would do', false)
    .option('--json', 'print JSON', false)
    .action(({ from, risk = from, client = from, ...options }: Options) =>
      withContext(async (context) => {
        const { token, user, yes, json } = options;
        const { id: userId } = await findUser(context, user);
        const apis = {
          provisioning: new HostedApi(from, token),
          risk: new HostedApi(risk, token),
          client: new HostedApi(client, token),
        };
        const by = commandActor();
        const adoption = new Adoption({ context, by, userId, apis, isReal: yes });
        try {
          await adoption.run();
        } finally {
          printRecords(adoption.steps, COLUMNS, json);
        }
        if (!yes) console.error('Nothing is changed yet: run it again with --yes');
      }),
    );
}

const COLUMNS = {
  WHAT: ({ what }: Step) => what,
  ID: ({ id }: Step) => id,
  NAME: ({ name }: Step) => name,
  OUTCOME: ({ outcome }: Step) => outcome,
  TRACKERS: ({ trackers = {} }: Step) =>
    Object.entries(trackers)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(', '),
  NOTES: ({ notes }: Step) => notes.join('; '),
};

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an address that begins with https://.');
  return url;
}
