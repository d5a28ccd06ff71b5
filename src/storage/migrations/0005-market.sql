-- Symbol settings and quotes that clients sent for accounts without a platform to ask, as the JSON
-- they were sent in: margin needs them together, and they are replaced together.
create table account_market (
  account_id text primary key,
  body text not null,
  updated_at_ms bigint not null
);
