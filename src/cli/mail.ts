import { type Command, Option } from 'commander';
import { type ListedMail, listMail } from '../services/mail/list-mail.ts';
import { resendMail } from '../services/mail/resend-mail.ts';
import { MAIL_STATES, type MailState } from '../words/service.ts';
import { addPageOptions, type PageOptions } from './page-options.ts';
import { printRecords } from './print.ts';
import { commandActor, type WithContext } from './with-context.ts';

/** `plimsoll mail list|resend`. */
export function addMailCommands(program: Command, withContext: WithContext): void {
  const mail = program.command('mail').description('list mails and send them again');
  addPageOptions(
    mail
      .command('list')
      .description('list mails, newest first')
      .addOption(new Option('--state <state>', 'only these').choices(MAIL_STATES)),
  ).action((options: PageOptions & { state?: MailState }) =>
    withContext(async (context) => {
      const { state, limit, offset, json } = options;
      const columns = {
        ID: (item: ListedMail) => item.id,
        QUEUED: (item: ListedMail) => item.queuedAt,
        TO: (item: ListedMail) => item.to,
        SUBJECT: (item: ListedMail) => item.subject,
        STATE: (item: ListedMail) => item.state,
        ATTEMPTS: (item: ListedMail) => item.attempts,
        RESULT: (item: ListedMail) => item.lastResult,
      };
      printRecords(await listMail(context, { state, limit, offset }), columns, json);
    }),
  );
  mail
    .command('resend')
    .description('queue a failed or logged mail again')
    .argument('<id>', 'id of the mail')
    .option('--json', 'print JSON', false)
    .action((id: string, { json }: { json: boolean }) =>
      withContext(async (context) => {
        await resendMail(context, commandActor(), id);
        console.log(json ? JSON.stringify({ id, state: 'queued' }) : `Mail ${id} is queued`);
      }),
    );
}
