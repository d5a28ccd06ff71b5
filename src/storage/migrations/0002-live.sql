-- The journal holds what came in, durable before it is acknowledged, in the order in which it is
-- folded: one row per commit and partition. journal_head is written last in every transaction that
-- appends, so one appender waits for the other and positions become visible in their order.
-- directory_version counts what processes may have cached of accounts and must ask for again.
create table journal_head (
  id bigint primary key,
  position bigint not null,
  directory_version bigint not null
);
insert into journal_head (id, position, directory_version) values (1, 0, 0);

create table journal_entry (
  partition_id bigint not null,
  position bigint not null,
  received_utc_ms bigint not null,
  body bytea not null,
  primary key (partition_id, position)
);

-- position: entries up to it are folded and their effects stored. epoch counts the owners: what a
-- former owner still wants to write meets another epoch. beat moves while the owner lives.
create table journal_partition (
  partition_id bigint primary key,
  position bigint not null,
  epoch bigint not null,
  owner text,
  beat bigint not null
);

-- The state of the live fold at the position of its partition. created_at_ms tells accounts that had
-- the same id after each other apart. recent: the last snapshots, for evidence.
create table live_account (
  account_id text primary key,
  created_at_ms bigint not null,
  clock_zone text not null,
  clock_shift_hours double precision not null,
  state bytea,
  recent bytea
);

create table equity_bucket (
  account_id text not null,
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
  primary key (account_id, start_time_ms)
);

-- definition: a JSON object. removed: 1 until the engine has folded the removal as well.
create table tracker (
  id text primary key,
  account_id text not null,
  name text not null,
  definition text not null,
  removed bigint not null,
  created_at_ms bigint not null
);
create unique index tracker_name on tracker (account_id, name) where removed = 0;
create index tracker_account on tracker (account_id, created_at_ms, id);

-- Completed periods; record: a JSON object.
create table period_statistics (
  tracker_id text not null,
  start_time_ms bigint not null,
  account_id text not null,
  record text not null,
  primary key (tracker_id, start_time_ms)
);
create index period_statistics_account on period_statistics (account_id);

-- One event per tracker and period. An event is written as soon as it is found, and found again,
-- the same, when the journal is folded again. position and ordinal are its place in the journal;
-- the sequence number, given after the commit, is its place in the feed.
create table tracker_event (
  tracker_id text not null,
  start_time_ms bigint not null,
  account_id text not null,
  user_id text not null,
  partition_id bigint not null,
  position bigint not null,
  ordinal bigint not null,
  sequence_number bigint unique,
  time_ms bigint not null,
  exceeded_type text not null,
  money_digits bigint not null,
  record text not null,
  before_breach bytea not null,
  after_breach bytea not null,
  watched bigint not null,
  primary key (tracker_id, start_time_ms)
);
create index tracker_event_user on tracker_event (user_id, sequence_number);
create index tracker_event_account on tracker_event (account_id, sequence_number);
create index tracker_event_tracker on tracker_event (tracker_id, sequence_number);
create index tracker_event_time on tracker_event (user_id, time_ms, sequence_number);
create index tracker_event_unnumbered on tracker_event (position, partition_id, ordinal)
  where sequence_number is null;
create index tracker_event_watched on tracker_event (account_id) where watched = 1;

-- The largest number given so far: numbers are never given again, even if events are deleted.
create table event_head (
  id bigint primary key,
  last_number bigint not null
);
insert into event_head (id, last_number) values (1, 0);

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

-- secret: as sealed by the server's key. last_number: events up to it are delivered or given up.
create table webhook (
  id text primary key,
  user_id text not null,
  url text not null,
  events text not null,
  secret text not null,
  created_at_ms bigint not null,
  last_number bigint not null,
  attempts bigint not null,
  due_at_ms bigint not null,
  last_result text
);
create index webhook_user on webhook (user_id, created_at_ms, id);
create index webhook_due on webhook (due_at_ms);

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

-- Keys that the server made for itself where the settings name none.
create table server_secret (
  name text primary key,
  value text not null
);
