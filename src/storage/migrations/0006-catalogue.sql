-- Counts the changes of tokens, accounts and trackers: what processes remember of these rows is good
-- as long as this stands still. New rows don't count: what is not there is not remembered.
create table catalogue (
  id bigint primary key,
  version bigint not null
);
insert into catalogue (id, version) values (1, 0);
