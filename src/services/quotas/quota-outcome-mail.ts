import { escapeHtml, type Mail, singleLine } from '../../domain/mail.ts';
import type { QuotaChange, Quotas } from '../../domain/quotas/quotas.ts';
import { QUOTA_NAMES, type QuotaDecision, type QuotaName } from '../../words/service.ts';

/** With the names of the API, so that the mail can be compared with a request. */
const LABELS: Record<QuotaName, string> = {
  maxAccounts: 'Accounts (maxAccounts)',
  maxDeployedG1Accounts: 'Deployed G1 accounts (maxDeployedG1Accounts)',
  maxDeployedG2Accounts: 'Deployed G2 accounts (maxDeployedG2Accounts)',
  maxDeployedCopyAccounts: 'Deployed copy accounts (maxDeployedCopyAccounts)',
  maxDedicatedIpv4: 'Dedicated IPv4 addresses (maxDedicatedIpv4)',
};
const LABEL_WIDTH = Math.max(...Object.values(LABELS).map((label) => label.length));
/** Lines stay within 76 characters, so that most mails are plain ASCII. */
const NUMBER_WIDTH = 8;

export type QuotaOutcome = {
  decision: QuotaDecision;
  region: string;
  requested: QuotaChange;
  before: Quotas;
  after: Quotas;
  /** The operator's words, unchanged; null if there are none. */
  message: string | null;
};

/** The mail about the outcome of a quota request: every quota before, as requested, and now. */
export function quotaOutcomeMail(
  to: { email: string; name: string | null },
  messageId: string,
  outcome: QuotaOutcome,
): Mail {
  const word = outcome.decision === 'approve' ? 'approved' : 'declined';
  const subject = singleLine(`Your quota request for ${outcome.region} was ${word}`, 200);
  const lead = `your request for other quotas in the region ${outcome.region} was ${word}.`;
  const greeting = to.name ? `Hello ${singleLine(to.name, 200)},` : 'Hello,';
  const rows = QUOTA_NAMES.map((name) => [
    LABELS[name],
    String(outcome.before[name]),
    String(outcome.requested[name] ?? ''),
    String(outcome.after[name]),
  ]);
  const head = ['Quota', 'Before', 'Asked', 'Now'];
  return {
    messageId,
    to: to.email,
    subject,
    text: [
      greeting,
      '',
      lead,
      '',
      ...[head, ...rows].map(textRow),
      ...(outcome.message === null
        ? []
        : ['', 'Message from the operator:', '', ...quoted(outcome.message)]),
      '',
    ].join('\n'),
    html: [
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8">',
      `<title>${escapeHtml(subject)}</title></head><body>`,
      `<p>${escapeHtml(greeting)}</p>`,
      `<p>${escapeHtml(lead)}</p>`,
      '<table border="1" cellpadding="6" style="border-collapse:collapse">',
      htmlRow(head, 'th'),
      ...rows.map((row) => htmlRow(row, 'td')),
      '</table>',
      ...(outcome.message === null
        ? []
        : [
            '<p>Message from the operator:</p>',
            `<blockquote style="white-space:pre-wrap">${escapeHtml(outcome.message)}</blockquote>`,
          ]),
      '</body></html>',
      '',
    ].join('\n'),
  };
}

const textRow = (cells: string[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(LABEL_WIDTH) : cell.padStart(NUMBER_WIDTH)))
    .join(' ');

const quoted = (message: string): string[] =>
  message.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `> ${line}`);

const htmlRow = (cells: string[], tag: 'td' | 'th'): string =>
  ['<tr>', ...cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`), '</tr>'].join('\n');
