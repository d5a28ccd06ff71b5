-- Provisioning profiles: how a platform is reached. The password is encrypted under the key that
-- secret_key_id names; the connection's last outcome stands beside it.
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
  broker_zone text not null,
  broker_shift_hours double precision not null,
  created_at_ms bigint not null,
  last_success_ms bigint,
  last_error_ms bigint,
  last_error text
);
create index provisioning_profile_user on provisioning_profile (user_id, id);

-- Requests to open an account that carried an idempotency key, kept for a day. request_id is the
-- mark by which the platform finds the account that such a request opened.
create table account_opening (
  profile_id text not null,
  key_hash text not null,
  body_hash text not null,
  request_id text not null,
  opening_until_ms bigint not null,
  created_at_ms bigint not null,
  primary key (profile_id, key_hash)
);
create index account_opening_age on account_opening (created_at_ms);

create index account_profile on account (profile_id);

-- How far the deals of an account that is bound to a profile have been read from its platform:
-- cursor_ms in broker time, reconciled_at_ms the last reading of the longer trailing window.
create table account_sync (
  account_id text primary key,
  profile_id text not null,
  cursor_ms bigint not null,
  reconciled_at_ms bigint not null,
  next_at_ms bigint not null,
  failures bigint not null,
  last_success_ms bigint,
  last_error text
);
create index account_sync_due on account_sync (next_at_ms);

-- What was done by hand on the simulated platforms: one text per family.
create table simulated_platform (
  family text primary key,
  state text not null
);
