-- Who sends holds the webhook up to this time; when it is due is another matter, and may change
-- meanwhile.
alter table webhook add column leased_until_ms bigint not null default 0;
