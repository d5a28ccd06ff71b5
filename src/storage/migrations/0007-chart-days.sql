-- Whole days of an equity chart as its wire JSON, made of equity_bucket when they are first asked for;
-- empty for a day without hours. It can always be made again: delete freely.
create table chart_day (
  account_id text not null,
  start_time_ms bigint not null,
  hours bytea not null,
  primary key (account_id, start_time_ms)
);
