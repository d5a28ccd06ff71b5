-- One process folds, so one partition is enough.
insert into journal_partition (partition_id, position) values (0, 0);
