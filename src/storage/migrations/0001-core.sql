-- Money and volume are integers (src/domain/money.ts); times are milliseconds, broker times as the
-- broker's wall clock (src/domain/broker-time.ts); flags are 0 or 1.

create table app_user (
  id text primary key,
  email text not null unique,
  name text,
  created_at_ms bigint not null
);

create table access_token (
  id text primary key,
  user_id text not null references app_user (id),
  name text,
  hash text not null unique,
  scopes text not null,
  account_ids text,
  created_at_ms bigint not null,
  expires_at_ms bigint
);
create index access_token_user on access_token (user_id);

create table account (
  id text primary key,
  user_id text not null references app_user (id),
  name text not null,
  platform text not null,
  login text not null,
  broker text not null,
  currency text not null,
  leverage double precision not null,
  broker_zone text not null,
  broker_shift_hours double precision not null,
  region text not null,
  tier text not null,
  copy bigint not null,
  dedicated_ipv4 bigint not null,
  deployed bigint not null,
  statistics_enabled bigint not null,
  margin_mode text not null,
  profile_id text,
  created_at_ms bigint not null
);
create index account_user on account (user_id, id);

create table deal (
  account_id text not null,
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
  profit bigint not null,
  swap bigint not null,
  commission bigint not null,
  fee bigint not null,
  digits bigint,
  contract_size double precision,
  comment text,
  primary key (account_id, id)
);
create index deal_time on deal (account_id, time_ms);

-- deal_version counts the changes of an account's deals, trade_version says up to which of them the
-- trades are computed. fold_state carries the fold on from the last deal that it has seen.
create table account_history (
  account_id text primary key,
  deal_version bigint not null,
  trade_version bigint not null,
  must_rebuild bigint not null,
  last_time_ms bigint,
  last_deal_id text,
  fold_state text,
  trade_count bigint not null
);

-- Closed trades as their wire JSON, 250 a chunk, all chunks full but the last; marks holds where each
-- trade starts in the body and when it closed.
create table trade_chunk (
  account_id text not null,
  chunk_number bigint not null,
  first_close_ms bigint not null,
  marks bytea not null,
  body bytea not null,
  primary key (account_id, chunk_number)
);
create index trade_chunk_close on trade_chunk (account_id, first_close_ms, chunk_number);
