import { formatBrokerTime } from '../../domain/broker-time.ts';
import {
  type FeedChange,
  isFeedChange,
  isRevision,
  isRuleWarning,
  isTransition,
  kindOf,
} from '../../domain/live/live-records.ts';
import { escapeHtml, type Mail, singleLine } from '../../domain/mail.ts';
import { fromUnits } from '../../domain/money.ts';
import { equationOf } from '../../domain/programs/deal-limits.ts';
import type { StoredEvent } from '../../storage/event-feed-store.ts';

export type MailedEvents = {
  /** In order; `count` may be larger. */
  events: readonly StoredEvent[];
  count: number;
  /** Names of accounts by number. */
  names: ReadonlyMap<number, string>;
  isDigest: boolean;
};

/** The mail to a user about events of limits and feeds, one line each. */
export function eventMailOf(
  to: { email: string; name: string | null },
  messageId: string,
  { events, count, names, isDigest }: MailedEvents,
): Mail {
  const kinds = events.map(({ event }) => kindOf(event));
  const broken = kinds.filter((kind) => kind === 'drawdown').length;
  const [first] = events;
  const name = first ? names.get(first.accountNumber) : undefined;
  const what = broken > 0 ? 'limit broken' : kinds[0] === 'revision' ? 'revised' : 'warning';
  const one = `${what}: ${name ?? 'an account'}`;
  const many = `${count} events, ${broken} of them broken limits`;
  const subject = singleLine(
    isDigest ? `Your day: ${many}` : count === 1 ? `${sentence(one)}` : sentence(many),
    200,
  );
  const lines = [
    to.name ? `Hello ${singleLine(to.name, 200)},` : 'Hello,',
    '',
    isDigest ? 'what happened since the last digest:' : 'this happened just now:',
    '',
    ...events.map((stored) => lineOf(stored, names.get(stored.accountNumber) ?? '')),
    ...(count > events.length ? [`and ${count - events.length} more: see the risk desk.`] : []),
    '',
    'Times are broker time. You asked for these mails; PUT /users/current/event-mail stops them.',
    '',
  ];
  const text = lines.join('\n');
  return {
    ...{ messageId, to: to.email, subject, text },
    html: [
      '<!doctype html>',
      `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
      `<body><pre style="white-space:pre-wrap">${escapeHtml(text)}</pre></body></html>`,
      '',
    ].join('\n'),
  };
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function lineOf({ sequenceNumber, event, moneyDigits }: StoredEvent, name: string): string {
  const place = `${formatBrokerTime(event.timeMs)}  ${singleLine(name, 200)}: `;
  return `${place}${wordsOf(event, moneyDigits)} (event ${sequenceNumber})`;
}

function wordsOf(event: StoredEvent['event'], digits: number): string {
  if (isFeedChange(event)) return feedWords(event);
  if (isTransition(event)) return `the enrolment is ${event.to}`;
  if (isRuleWarning(event)) {
    return `rule near, ${event.rule}: ${equationOf(event.near, digits)}`;
  }
  const { absoluteDrawdown, allowed } = event;
  const [lost, limit] = [absoluteDrawdown, allowed].map((money) => fromUnits(money, digits));
  if (isRevision(event)) {
    const verdict = event.stillExceeded ? 'still broken' : 'not broken';
    return `revised, limit ${verdict}: ${lost} lost of ${limit} allowed`;
  }
  return event.warnAt === undefined
    ? `limit broken, ${lost} lost of ${limit} allowed`
    : `limit near, ${lost} lost of ${limit} allowed`;
}

function feedWords({ feed, offsetMs = 0, reason }: FeedChange): string {
  if (feed === 'unwatched') return 'it has lost its last loss limit: no loss is reported any more';
  if (feed === 'silence') {
    const why = reason === undefined ? '' : `: ${singleLine(reason, 200)}`;
    return `no data comes from it any more${why}`;
  }
  if (feed === 'return') return 'data comes from it again';
  if (feed === 'clockRight') return 'its clock is right again';
  return `its clock is ${offsetWords(offsetMs)}: its broker clock is set wrongly or, if most accounts are off by the same, the clock of the server`;
}

/** "3 h 5 min ahead" */
function offsetWords(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const words = [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean);
  return `${words.join(' ')} ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}
