import { isDueAction } from './breach-action-store.ts';
import type { Sql, SqlValue } from './database.ts';
import { hasMailLeft } from './event-mail-store.ts';

/** The first due item of each kind of background work, in words that change with each try. */
const FIRST_DUE = {
  folding: `select partition_id || ' from ' || position as item from journal_partition
    where position < $1 order by position, partition_id limit 1`,
  mail: `select id || ' ' || attempts as item from mail_outbox
    where state = 'queued' and due_at_ms <= $1 order by due_at_ms, id limit 1`,
  eventMail: `select user_id || ' ' || breaches_number || ' ' || warnings_number as item
    from event_mail, event_head where event_head.id = 1
      and ((${hasMailLeft('immediate', 'event_head.last_number')} and immediate_due_ms <= $1)
        or (${hasMailLeft('digest', 'event_head.last_number')} and digest_due_ms <= $1))
    order by user_id limit 1`,
  wakingWebhooks: `select 'from ' || webhook_feed.last_number as item from webhook_feed, event_head
    where webhook_feed.id = 1 and event_head.id = 1
      and webhook_feed.last_number < event_head.last_number
      and exists (select 1 from webhook)`,
  webhooks: `select id || ' ' || last_number || ' ' || attempts as item from webhook
    where last_number < wanted_number and (attempts = 0 or due_at_ms <= $1)
    order by id limit 1`,
  breachActions: `select id || ' ' || state || ' ' || attempts as item from breach_action
    where ${isDueAction('breach_action')}
      and exists (select 1 from breach_action_switch where enabled = 1)
    order by id limit 1`,
  seals: `select 'from ' || seal_head.last_number as item from seal_head, event_head
    where seal_head.id = 1 and event_head.id = 1
      and seal_head.last_number < event_head.last_number`,
  removal: `select 'account ' || number as item from removed_account
    where is_folded = 1 order by number limit 1`,
};

export type DueWork = keyof typeof FIRST_DUE;

/** The first due item of each kind of work; undefined: nothing. The journal ends at `head`. */
export async function readFirstDue(
  sql: Sql,
  nowMs: number,
  head: number,
): Promise<[work: DueWork, item: SqlValue | undefined][]> {
  const found: [DueWork, SqlValue | undefined][] = [];
  for (const [work, query] of Object.entries(FIRST_DUE)) {
    const until = work === 'folding' ? head : nowMs;
    const params = query.includes('$1') ? [until] : [];
    const row = await sql.get<{ item: SqlValue }>(query, params);
    found.push([work as DueWork, row?.item]);
  }
  return found;
}
