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
  broker_zone text not null,
  broker_shift_hours double precision not null,
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

-- What was done by hand on the simulated platform of a profile, in its order.
create table simulated_event (
  profile_id text not null,
  number bigint not null,
  event text not null,
  primary key (profile_id, number)
);
