-- One text for both databases. Money and volume are integers (src/domain/money.ts); times are
-- milliseconds, broker times as the broker's wall clock (src/domain/broker-time.ts); flags are 0 or 1.
-- "numbered_key" stands for a bigint primary key that the database numbers, each number once for ever.

-- A user that was deleted keeps the row, from removed_at_ms on, until all that was the user's is gone.
-- removed_by: who deleted it, in the words of the audit.
create table app_user (
  id text primary key,
  email text not null,
  name text,
  created_at_ms bigint not null,
  removed_at_ms bigint,
  removed_by text
);
create unique index app_user_email on app_user (email) where removed_at_ms is null;
create index app_user_removed on app_user (removed_at_ms, id) where removed_at_ms is not null;

-- What a user has of a kind: how many, and how many bytes. Kept in the transactions that change it.
create table user_holding (
  user_id text not null,
  kind text not null,
  items bigint not null,
  bytes bigint not null,
  primary key (user_id, kind)
);

-- Tokens and people, and the sessions and one-time codes that are from them.
create table access_token (
  id text primary key,
  kind text not null,
  -- Null: of the operator.
  user_id text references app_user (id),
  name text,
  hash text not null unique,
  scopes text not null,
  -- JSON lists or null. What a token reaches are the numbers; the ids say what it was made for.
  account_ids text,
  account_numbers text,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  -- Of the token that it was made with, or of the one that took over from that. Null: by a command.
  made_by text,
  -- The last use, written now and then.
  used_at_ms bigint,
  used_from text,
  -- The browser of a session, as it calls itself.
  device text,
  -- Of a person and its sessions; of a token that another rotated, of the old one's person.
  role text,
  email text,
  -- Of a person: the name that an OpenID provider knows it by, once signed in there.
  subject text,
  -- Of a session that began at the provider: its session there, or an empty text.
  provider_session text
);
create unique index access_token_subject on access_token (user_id, subject)
  where kind = 'person' and subject is not null;
create index access_token_provider_session on access_token (provider_session)
  where provider_session is not null;
create unique index access_token_person on access_token (user_id, email) where kind = 'person';
create index access_token_user on access_token (user_id, created_at_ms, id);
create index access_token_made_by on access_token (made_by);
create index access_token_session on access_token (expires_at_ms) where kind <> 'token';

-- An account is known by its number everywhere but on the wire: numbers are never used again, ids
-- can be. So what is left of a deleted account is nobody's, until the sweeper has removed it.
create table account (
  number numbered_key,
  user_id text not null references app_user (id),
  id text not null,
  name text not null,
  platform text not null,
  login text not null,
  broker text not null,
  currency text not null,
  leverage double precision not null,
  broker_clock text not null,
  region text not null,
  tier text not null,
  copy bigint not null,
  dedicated_ipv4 bigint not null,
  deployed bigint not null,
  statistics_enabled bigint not null,
  margin_mode text not null,
  profile_id text,
  -- A JSON list.
  labels text not null,
  silent_after_seconds bigint,
  created_at_ms bigint not null,
  unique (user_id, id)
);
create index account_silent on account (number) where silent_after_seconds > 0;
-- Most accounts have none: a count by profile reads only those that do.
create index account_profile on account (profile_id, number) where profile_id is not null;

-- How many accounts of each kind a user has: what quotas count. Changed with the accounts.
create table account_count (
  user_id text not null references app_user (id),
  region text not null,
  tier text not null,
  deployed bigint not null,
  copy bigint not null,
  dedicated_ipv4 bigint not null,
  accounts bigint not null,
  primary key (user_id, region, tier, deployed, copy, dedicated_ipv4)
);

-- Deleted accounts whose rows in other tables are still there. Nothing writes such rows any more
-- once the engine has folded the removal.
create table removed_account (
  number bigint primary key,
  user_id text not null,
  removed_at_ms bigint not null,
  is_folded bigint not null
);

-- What was changed or deleted of the rows that processes remember, one after the other. kind and
-- key say which row. Of what is new only accounts are in it: what is not there is not remembered, but
-- in lists of accounts.
create table change_head (
  id bigint primary key,
  version bigint not null
);
insert into change_head (id, version) values (1, 0);
create table change (
  version bigint primary key,
  kind text not null,
  key text not null
);

create table deal (
  account_number bigint not null,
  id text not null,
  time_ms bigint not null,
  position_id text,
  type text not null,
  entry text,
  symbol text,
  volume bigint not null,
  volume_closed bigint,
  price double precision,
  position_price double precision,
  position_time_ms bigint,
  profit bigint not null,
  swap bigint not null,
  commission bigint not null,
  fee bigint not null,
  digits bigint,
  contract_size double precision,
  comment text,
  magic bigint,
  stop_loss double precision,
  take_profit double precision,
  import_number bigint,
  primary key (account_number, id)
);
create index deal_time on deal (account_number, time_ms, id);
-- Deposits, withdrawals and credit, which are few among the deals of an account.
create index deal_capital on deal (account_number, time_ms, id)
  where type in ('DEAL_TYPE_BALANCE', 'DEAL_TYPE_CORRECTION', 'DEAL_TYPE_BONUS',
    'DEAL_TYPE_SO_COMPENSATION', 'DEAL_TYPE_CREDIT', 'DEAL_TYPE_SO_COMPENSATION_CREDIT',
    'DEAL_TYPE_OTHER_CREDIT');
-- Kinds of deals that have no word here.
create index deal_unknown on deal (account_number)
  where type in ('DEAL_TYPE_OTHER', 'DEAL_TYPE_OTHER_CREDIT');
-- Other sources of a position are found by its id.
create index deal_position on deal (account_number, position_id) where position_id is not null;
create index deal_import on deal (account_number, import_number) where import_number is not null;

-- Report files that were imported. state: storing (its deals come in, some at a time; whoever stores
-- them has its claim), stored, or leaving (taken back: the sweeper removes its deals). carried_in
-- is the balance that it had before carried_in_time_ms; record, what was told of it as JSON.
create table statement_import (
  number numbered_key,
  account_number bigint not null,
  id text not null,
  content_hash text not null,
  state text not null,
  created_at_ms bigint not null,
  carried_in bigint,
  carried_in_time_ms bigint,
  record text not null,
  unique (account_number, id)
);
create unique index statement_import_content on statement_import (account_number, content_hash);
create index statement_import_unsettled on statement_import (number) where state <> 'stored';

-- Deals that an import lists, too, but another one brought (deal.import_number): they stay when that
-- one is taken back.
create table listed_deal (
  account_number bigint not null,
  import_number bigint not null,
  deal_id text not null,
  primary key (account_number, deal_id, import_number)
);
create index listed_deal_import on listed_deal (account_number, import_number);

-- deal_version counts the changes of an account's deals, trade_version says up to which of them trades
-- and statistics are computed; it is below zero while they are only in part. fold_state and
-- metrics_state carry the folds on from the last deal that they have seen. unsettled counts the imports
-- that are just being stored or taken back, rebuilds the changes that must_rebuild was set for.
-- unstaged_deals counts those folded since the newest fold_stage.
create table account_history (
  account_number bigint primary key,
  deal_version bigint not null,
  trade_version bigint not null,
  unsettled bigint not null,
  must_rebuild bigint not null,
  rebuilds bigint not null,
  last_time_ms bigint,
  last_deal_id text,
  fold_state text,
  metrics_state text,
  trade_count bigint not null,
  unstaged_deals bigint not null
);

-- The fold of trades as it stood at a deal, every some thousand deals: what was open at a moment is
-- told by the stage before it and the deals from there on. True while the trades are current.
create table fold_stage (
  account_number bigint not null,
  time_ms bigint not null,
  deal_id text not null,
  fold_state text not null,
  primary key (account_number, time_ms, deal_id)
);

-- What an account did on the days on which something was booked (days since 1970-01-01): with
-- metrics_state all that its statistics are made of. factor and growth_index are time-weighted.
create table growth_day (
  account_number bigint not null,
  day bigint not null,
  trades bigint not null,
  won bigint not null,
  volume bigint not null,
  pip_tenths bigint,
  profit bigint not null,
  transfers bigint not null,
  credit bigint not null,
  factor double precision not null,
  balance bigint not null,
  result bigint not null,
  growth_index double precision not null,
  maximal_fall bigint not null,
  maximal_fall_percent double precision not null,
  fall_percent double precision not null,
  primary key (account_number, day)
);

-- Closed trades as their wire JSON, 250 a chunk, all chunks full but the last; marks holds where each
-- trade starts in the body and when it closed, figures what statistics count of each.
create table trade_chunk (
  account_number bigint not null,
  chunk_number bigint not null,
  first_close_ms bigint not null,
  marks bytea not null,
  figures bytea not null,
  body bytea not null,
  primary key (account_number, chunk_number)
);

-- What every 16 full chunks add to the statistics of a part of the trades: all, those of a symbol, a
-- side, an expert or a comment. `part` is the kind and its value; a kind alone lists its values.
create table trade_part (
  account_number bigint not null,
  part text not null,
  segment_number bigint not null,
  state text not null,
  primary key (account_number, part, segment_number)
);
create index trade_part_segment on trade_part (account_number, segment_number);

create index trade_chunk_close on trade_chunk (account_number, first_close_ms, chunk_number);

-- The journal: what came in, durable before it is acknowledged, a row a commit. The position is the
-- row's place in the order in which it is folded, without gaps. A row that was committed while
-- somebody else gave positions has none for a moment; rows then get theirs in the order of their ids.
-- stream: which one of NATS JetStream holds the journal instead, by the moment of its creation.
create table journal_head (
  id bigint primary key,
  position bigint not null,
  stream text
);
insert into journal_head (id, position) values (1, 0);
create table journal_entry (
  id numbered_key,
  position bigint unique,
  received_utc_ms bigint not null,
  body bytea not null
);
create index journal_entry_waiting on journal_entry (id) where position is null;

-- What was committed here for a journal outside of the database, on its way there. position: where it
-- lies there, settled once and for ever; a copy at any other position counts for nothing. A row is
-- removed when everybody has folded it.
create table journal_outbox (
  id numbered_key,
  position bigint,
  body bytea not null
);
create index journal_outbox_waiting on journal_outbox (id) where position is null;

-- position: entries up to it are folded and their effects stored. Who folds a partition has its claim.
-- How many partitions there are is settled when the database is made (journal_partition's rows), and
-- never changes.
create table journal_partition (
  partition_id bigint primary key,
  position bigint not null
);

-- Who does a job, while it is done: see src/claims/claims.ts. fence: no two claims ever have the same.
create table claim (
  fence numbered_key,
  kind text not null,
  key text not null,
  holder text not null,
  unique (kind, key)
);
create index claim_holder on claim (holder);

-- Processes that hold claims, or may. beat moves while a process lives; shares: the kinds of jobs of which
-- it takes a share, separated by spaces. host, seen_at_ms and report are for operators: where it runs,
-- when it showed itself last, by its own clock, and how far it is (JSON). mark: which process of its
-- machine it is, where that can be told. schema_version and key_ids: the newest schema and the keys of the
-- settings that it knows.
create table process (
  id text primary key,
  beat bigint not null,
  shares text not null,
  started_at_ms bigint not null,
  host text not null,
  seen_at_ms bigint not null,
  report text,
  mark text,
  schema_version bigint not null,
  key_ids text not null
);

-- The state of an account's live fold as of a position of its own, at or after its partition's. clock:
-- the one that it is folded by. hours_version changes with the account's closed hours. park: why its
-- entries wait in parked_entry instead of being folded. balance, equity, used_limit (of the nearest
-- loss limit), exceeded, trackers, fresh_at_ms (when its newest snapshot came in) and clock_off_ms (what
-- its clock is off by) say again what the state says, for overviews of many accounts.
create table live_account (
  account_number bigint primary key,
  position bigint not null,
  last_utc_ms bigint,
  settle_due_at_ms bigint,
  hours_version bigint not null,
  balance bigint,
  equity bigint,
  used_limit double precision,
  exceeded bigint not null,
  trackers bigint not null,
  fresh_at_ms bigint,
  clock_off_ms bigint,
  clock text not null,
  state bytea,
  recent bytea,
  park text
);
create index live_account_settling on live_account (account_number)
  where settle_due_at_ms is not null;
create index live_account_parked on live_account (account_number) where park is not null;

create table parked_entry (
  account_number bigint not null,
  position bigint not null,
  body bytea not null,
  primary key (account_number, position)
);

-- Entries that could not be read, with their whole commits: whose they are nobody can say.
create table damaged_entry (
  partition_id bigint not null,
  position bigint not null,
  reason text not null,
  body bytea not null,
  primary key (partition_id, position)
);

create table equity_bucket (
  account_number bigint not null,
  start_time_ms bigint not null,
  average_balance bigint not null,
  min_balance bigint not null,
  max_balance bigint not null,
  average_equity bigint not null,
  min_equity bigint not null,
  max_equity bigint not null,
  start_balance bigint not null,
  start_equity bigint not null,
  last_balance bigint not null,
  last_equity bigint not null,
  has_late_extremes bigint not null,
  primary key (account_number, start_time_ms)
);

-- The minutes of an hour, packed (minutes-codec.ts); removed after some days.
create table equity_minutes (
  account_number bigint not null,
  start_time_ms bigint not null,
  minutes bytea not null,
  primary key (account_number, start_time_ms)
);

-- Whole days of an equity chart as its wire JSON, made of equity_bucket when they are first asked for;
-- empty for a day without hours. It can always be made again: delete freely.
create table chart_day (
  account_number bigint not null,
  start_time_ms bigint not null,
  hours bytea not null,
  primary key (account_number, start_time_ms)
);

-- definition: a JSON object. removed: 1 until the engine has folded the removal as well.
create table tracker (
  account_number bigint not null,
  id text not null,
  name text not null,
  definition text not null,
  removed bigint not null,
  created_at_ms bigint not null,
  primary key (account_number, id)
);
create unique index tracker_name on tracker (account_number, name) where removed = 0;

-- What a breach of a tracker is answered with: the list of its definition, one row each, so that the
-- statement that stores an event finds it without reading JSON.
create table tracker_action (
  account_number bigint not null,
  tracker_id text not null,
  place bigint not null,
  action text not null,
  group_name text,
  is_dry_run bigint not null,
  -- The event that starts it: breach, also for reset, warning, revision or passing.
  moment text not null,
  -- What it waits for.
  confirm text not null,
  primary key (account_number, tracker_id, place)
);

-- What is to be done on a platform because of a breach, stored in the transaction of its event: one for
-- each event and place. tracker_id: whose actions they are; subject_id, start_time_ms and round: tracker_id,
-- start_time_ms and round of the event, which is the enrolment's own where time broke a rule. Who does one
-- holds the claim of its account.
create table breach_action (
  id numbered_key,
  account_number bigint not null,
  tracker_id text not null,
  subject_id text not null,
  start_time_ms bigint not null,
  round bigint not null,
  place bigint not null,
  user_id text not null,
  time_ms bigint not null,
  action text not null,
  group_name text,
  is_dry_run bigint not null,
  moment text not null,
  -- What it still waits for: 'none' once the platform or a person has confirmed the breach.
  confirm text not null,
  -- The account as the platform showed it before anything was done, as JSON.
  seen text,
  state text not null,
  attempts bigint not null,
  due_at_ms bigint not null,
  -- UTC: when the period of its event ends, the moment of reset; null if it has no end.
  period_end_ms bigint,
  -- Whether the platform showed its effect before anything was done for it.
  is_found bigint not null,
  message text,
  created_at_ms bigint not null,
  ended_at_ms bigint
);
create unique index breach_action_once
  on breach_action (account_number, tracker_id, start_time_ms, round, place);
create index breach_action_user on breach_action (user_id, id);
create index breach_action_open on breach_action (id) where state in ('waiting', 'running');
create index breach_action_escalated on breach_action (user_id) where state = 'escalated';

-- Whether anything is done at all, in any process.
create table breach_action_switch (
  id bigint primary key,
  enabled bigint not null
);
insert into breach_action_switch (id, enabled) values (1, 1);

-- What a user saved under a name for all tokens: views of the accounts, templates of rules,
-- mappings of tables. body: JSON.
create table user_document (
  user_id text not null references app_user (id),
  kind text not null,
  name text not null,
  body text not null,
  changed_at_ms bigint not null,
  primary key (user_id, kind, name)
);

-- Versions of programs, which never change. phases: a JSON list, as it was posted.
create table program (
  id text not null,
  version bigint not null,
  user_id text not null,
  name text not null,
  phases text not null,
  created_at_ms bigint not null,
  primary key (id, version)
);
create index program_user on program (user_id, created_at_ms, id, version);

-- definition: a JSON object, with the phase as it stood. What became of it is in tracker_event.
create table enrolment (
  account_number bigint not null,
  id text not null,
  program_id text not null,
  version bigint not null,
  phase bigint not null,
  definition text not null,
  created_at_ms bigint not null,
  primary key (account_number, id)
);
create index enrolment_program on enrolment (program_id, created_at_ms);

-- Completed periods; record: a JSON object.
create table period_statistics (
  account_number bigint not null,
  tracker_id text not null,
  start_time_ms bigint not null,
  record text not null,
  primary key (account_number, tracker_id, start_time_ms)
);

-- One event per tracker and period, of the kind of the threshold, and one warning before; round counts
-- those that came after one that was revised. Or a revision of one, in its own rounds: revised_kind and
-- revised_round say of which, still_exceeded, whether it holds; revises is its number, set when the
-- revision gets its own. Or a change of an enrolment, kind enrolment: then tracker_id is the enrolment's,
-- and start_time_ms counts its changes. Or a silence of the account's feed, or its
-- end; or a clock that is off, or right again: then tracker_id is feed, and start_time_ms the receipt of
-- the last snapshot before, or of the first with a wrong clock. position, partition_id and ordinal are its place in the
-- journal; the sequence number is its place in the feed. acknowledged_at_ms: when somebody took note
-- of it; 0 for what needs nobody's attention, as what a new tracker found in the past.
create table tracker_event (
  account_number bigint not null,
  tracker_id text not null,
  start_time_ms bigint not null,
  round bigint not null,
  user_id text not null,
  position bigint not null,
  partition_id bigint not null,
  ordinal bigint not null,
  sequence_number bigint,
  time_ms bigint not null,
  kind text not null,
  money_digits bigint not null,
  record text not null,
  before_breach bytea not null,
  after_breach bytea not null,
  watched bigint not null,
  acknowledged_at_ms bigint,
  revised_kind text,
  revised_round bigint,
  still_exceeded bigint,
  revises bigint,
  primary key (account_number, tracker_id, kind, start_time_ms, round)
);
-- Of numbered events alone: many get their number after they were stored, and would be in each of
-- these indexes twice.
create unique index tracker_event_number on tracker_event (sequence_number)
  where sequence_number is not null;
create index tracker_event_user on tracker_event (user_id, sequence_number)
  where sequence_number is not null;
-- Whoever polls for drawdowns passes over events of other kinds, however many they are.
create index tracker_event_drawdown on tracker_event (user_id, sequence_number)
  where kind = 'drawdown' and sequence_number is not null;
create index tracker_event_account on tracker_event (account_number, sequence_number)
  where sequence_number is not null;
create index tracker_event_tracker on tracker_event (tracker_id, sequence_number)
  where sequence_number is not null;
create index tracker_event_time on tracker_event (user_id, time_ms, sequence_number)
  where sequence_number is not null;
create index tracker_event_account_time on tracker_event (account_number, time_ms, sequence_number)
  where sequence_number is not null;
create index tracker_event_waiting on tracker_event (position, partition_id, ordinal)
  where sequence_number is null;
create index tracker_event_revises on tracker_event (revises) where revises is not null;
create index tracker_event_watched on tracker_event (account_number) where watched = 1;
create index tracker_event_open on tracker_event (user_id, sequence_number)
  where acknowledged_at_ms is null and sequence_number is not null;

-- What people did about the events of one account and moment, which together are an incident: they
-- acknowledged it, opened it again, assigned it to somebody or wrote a note.
create table incident_entry (
  account_number bigint not null,
  time_ms bigint not null,
  place bigint not null,
  at_ms bigint not null,
  author text not null,
  kind text not null,
  words text,
  primary key (account_number, time_ms, place)
);

-- Incidents that have entries: how many were made, which is the last one's place, and who looks
-- after it.
create table incident (
  account_number bigint not null,
  time_ms bigint not null,
  entries bigint not null,
  assignee text,
  primary key (account_number, time_ms)
);

-- The largest number given so far: numbers are never given again, even if events are deleted.
create table event_head (
  id bigint primary key,
  last_number bigint not null
);
insert into event_head (id, last_number) values (1, 0);

-- A user's sealed events: each is a leaf of the user's Merkle tree, in their order. hashes: of the
-- subtrees that the leaf completes, itself first, 32 bytes each. statement: what is said of the
-- event, the bytes of the leaf; null when the account is deleted.
create table event_seal (
  user_id text not null,
  place bigint not null,
  sequence_number bigint not null unique,
  account_number bigint not null,
  hashes bytea not null,
  statement text,
  primary key (user_id, place)
);
create index event_seal_account on event_seal (account_number) where statement is not null;

-- The head of a user's tree, a signed note, and the size that it names.
create table seal_tree (
  user_id text primary key,
  size bigint not null,
  head text not null
);

-- Time stamps (RFC 3161) of heads: token by an authority, over the text of the head of that size.
create table seal_stamp (
  user_id text not null,
  size bigint not null,
  token bytea not null,
  at_ms bigint not null,
  primary key (user_id, size)
);

-- Events up to this number are sealed.
create table seal_head (
  id bigint primary key,
  last_number bigint not null
);
insert into seal_head (id, last_number) values (1, 0);

-- Users of whom nothing from from_number on can be sealed, and why: tried again all the time. The
-- events of all others go on, and seal_head with them.
create table seal_aside (
  user_id text primary key,
  from_number bigint not null,
  reason text not null,
  since_ms bigint not null
);

-- Answers to requests with an Idempotency-Key, for as long as they may be sent again.
create table ingest_receipt (
  user_id text not null,
  idempotency_key text not null,
  body_hash text not null,
  answer text not null,
  at_ms bigint not null,
  primary key (user_id, idempotency_key)
);
create index ingest_receipt_at on ingest_receipt (at_ms);

-- secret: encrypted under the key that secret_key_id names. delivery: single, batch or parallel. last_number: events up
-- to it are delivered or given up; the user may have others up to wanted_number.
create table webhook (
  id text primary key,
  user_id text not null,
  url text not null,
  events text not null,
  delivery text not null,
  secret bytea not null,
  secret_key_id text not null,
  created_at_ms bigint not null,
  last_number bigint not null,
  wanted_number bigint not null,
  attempts bigint not null,
  due_at_ms bigint not null,
  took_ms bigint not null,
  last_result text
);
create index webhook_user on webhook (user_id, created_at_ms, id);
create index webhook_behind on webhook (due_at_ms) where last_number < wanted_number;

-- Webhooks know of the events up to this number: see wakeWebhooks.
create table webhook_feed (
  id bigint primary key,
  last_number bigint not null
);
insert into webhook_feed (id, last_number) values (1, 0);

-- Events that a webhook did not take. due_at_ms is set when they are to be sent again.
create table webhook_dead_letter (
  webhook_id text not null,
  sequence_number bigint not null,
  attempts bigint not null,
  failed_at_ms bigint not null,
  last_result text not null,
  due_at_ms bigint,
  primary key (webhook_id, sequence_number)
);
create index webhook_dead_letter_due on webhook_dead_letter (due_at_ms)
  where due_at_ms is not null;

-- Keys under which secrets are stored, by ids that follow from them. is_current: 1 for the one that
-- encrypts from now on. value: the key itself, base64, where the server made it; null where it is in
-- the settings.
create table secret_key (
  id text primary key,
  is_current bigint not null,
  value text,
  since_ms bigint not null
);
create unique index secret_key_current on secret_key (is_current) where is_current = 1;

-- Keys that sign events, oldest first; the newest is in use. secret: the private key, encrypted under
-- the key that secret_key_id names. signature: by the key before, which vouches for this one by it,
-- or by itself.
create table evidence_key (
  number numbered_key,
  public_key text not null unique,
  secret bytea not null,
  secret_key_id text not null,
  from_ms bigint not null,
  until_ms bigint,
  signature text not null
);

-- Provisioning profiles: how a platform is reached. The password is encrypted under the key that
-- secret_key_id names; allowed_actions are words separated by spaces; the connection's last outcome
-- stands beside them.
create table provisioning_profile (
  id text primary key,
  user_id text not null references app_user (id),
  name text not null,
  platform text not null,
  kind text not null,
  server text,
  login text,
  tls_fingerprint text,
  tls_ca text,
  secret bytea,
  secret_key_id text,
  broker_clock text not null,
  allowed_actions text not null,
  created_at_ms bigint not null,
  last_success_ms bigint,
  last_error_ms bigint,
  last_error text
);
create index provisioning_profile_user on provisioning_profile (user_id, id);

-- What was asked of platforms: accounts opened, settings changed, money moved. request_id is the
-- mark by which the platform tells whether it was done; it follows from the idempotency key where the
-- request carried one, which is kept nowhere. result is the answer, without secrets.
create table platform_operation (
  request_id text primary key,
  profile_id text not null,
  login bigint,
  kind text not null,
  body_hash text not null,
  under_way_until_ms bigint not null,
  result text,
  created_at_ms bigint not null,
  kept_until_ms bigint not null
);
create index platform_operation_age on platform_operation (kept_until_ms);
create index platform_operation_login on platform_operation (profile_id, login);

-- How far the deals of an account that is bound to a profile have been read from its platform:
-- cursor_ms in broker time; proven_at_ms: when its deals last were as many as the platform's. version
-- counts the changes, for readers that might undo each other's. read_at_ms: when it was last read, as far
-- as was noted: always where the reading after it failed. platform_currency and platform_leverage: as
-- the platform had them last.
create table account_sync (
  account_number bigint primary key,
  profile_id text not null,
  version bigint not null,
  cursor_ms bigint not null,
  proven_at_ms bigint,
  failures bigint not null,
  last_error text,
  read_at_ms bigint,
  platform_currency text,
  platform_leverage double precision
);
create index account_sync_profile on account_sync (profile_id, account_number);

-- How the accounts of a profile are read, by the process that has its claim. read_at_ms: when it last
-- began to read all of them, and ended.
create table profile_reading (
  profile_id text primary key,
  accounts bigint not null,
  read_at_ms bigint
);

-- What was done by hand on the simulated platform of a profile, in its order.
create table simulated_event (
  profile_id text not null,
  number bigint not null,
  event text not null,
  primary key (profile_id, number)
);

-- The five maxima of a user in a region; without a row the defaults of the settings hold.
create table user_quota (
  user_id text not null references app_user (id),
  region text not null,
  max_accounts bigint not null,
  max_deployed_g1_accounts bigint not null,
  max_deployed_g2_accounts bigint not null,
  max_deployed_copy_accounts bigint not null,
  max_dedicated_ipv4 bigint not null,
  primary key (user_id, region)
);

-- requested: the asked-for maxima as a JSON object. state: pending, approved or declined.
create table quota_request (
  id text primary key,
  user_id text not null references app_user (id),
  region text not null,
  state text not null,
  requested text not null,
  justification text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  decided_at_ms bigint,
  decided_by text,
  message text
);
create unique index quota_request_pending on quota_request (user_id, region)
  where state = 'pending';
create index quota_request_decided on quota_request (user_id, decided_at_ms);
create index quota_request_state on quota_request (state, created_at_ms, id);

-- state: queued, sent, logged or failed. A sender takes a queued mail by counting attempts up and
-- moving due_at_ms ahead, so a mail whose sender died comes up again by itself.
-- is_secret: 1 if the texts have a one-time code; they are emptied when the mail is settled.
create table mail_outbox (
  id text primary key,
  message_id text not null unique,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  is_secret bigint not null,
  state text not null,
  attempts bigint not null,
  queued_at_ms bigint not null,
  due_at_ms bigint not null,
  settled_at_ms bigint,
  last_result text
);
create index mail_outbox_due on mail_outbox (due_at_ms, id) where state = 'queued';
create index mail_outbox_queued on mail_outbox (queued_at_ms, id);
create index mail_outbox_state on mail_outbox (state, queued_at_ms, id);

-- Which events users have mailed: breaches and warnings are off, immediate or digest. The numbers are
-- of the last events that were looked at for them.
create table event_mail (
  user_id text primary key references app_user (id),
  breaches text not null,
  warnings text not null,
  breaches_number bigint not null,
  warnings_number bigint not null,
  immediate_due_ms bigint not null,
  digest_due_ms bigint not null
);

-- Who did what, with which token, about whom. number tells the order; details is a JSON object.
create table audit_entry (
  number numbered_key,
  at_ms bigint not null,
  actor text not null,
  token_id text,
  action text not null,
  user_id text,
  account_id text,
  details text not null
);
create index audit_entry_user on audit_entry (user_id, number);
create index audit_entry_account on audit_entry (account_id, number);

-- Symbol settings and quotes that clients sent for accounts without a platform to ask, as the JSON
-- they were sent in: margin needs them together, and they are replaced together.
create table account_market (
  account_number bigint primary key,
  body text not null,
  updated_at_ms bigint not null
);

-- The newest quote of each forex pair of such a market, replaced with it: a user's newest of a pair
-- is found by one look into the index, without reading whole markets.
create table pair_quote (
  account_number bigint not null,
  user_id text not null,
  base text not null,
  profit text not null,
  symbol text not null,
  bid double precision not null,
  ask double precision not null,
  quoted_at_ms bigint not null,
  primary key (account_number, base, profit)
);
create index pair_quote_of_user on pair_quote (user_id, base, profit, quoted_at_ms);
