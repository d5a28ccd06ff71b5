-- The journal names accounts by numbers, which are never used again: not those of an account that was
-- deleted, nor for another of the same id. Rows stay for as long as an entry may name them: always.
create table journal_account (
  number bigint generated always as identity primary key,
  account_id text not null,
  created_at_ms bigint not null
);
create index journal_account_id on journal_account (account_id);
insert into journal_account (account_id, created_at_ms)
select id, created_at_ms from account order by created_at_ms, id;
