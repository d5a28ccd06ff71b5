-- Counts what changed closed hours of the partition's accounts later: what processes keep of whole days
-- is good as long as this stands still.
alter table journal_partition add column hours_version bigint not null default 0;
