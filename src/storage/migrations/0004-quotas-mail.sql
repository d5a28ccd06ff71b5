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

-- What quotas count, all in one index: each creation counts anew.
create index account_quota on account
  (user_id, region, tier, deployed, copy, dedicated_ipv4);

-- state: queued, sent, logged or failed. A sender takes a queued mail by counting attempts up and
-- moving due_at_ms ahead, so a mail whose sender died comes up again by itself.
create table mail_outbox (
  id text primary key,
  message_id text not null unique,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
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

-- Who did what to whom; details is a JSON object.
create table audit_entry (
  id text primary key,
  at_ms bigint not null,
  actor text not null,
  action text not null,
  user_id text,
  details text not null
);
create index audit_entry_at on audit_entry (at_ms, id);
create index audit_entry_user on audit_entry (user_id, at_ms, id);
