-- One engine folds a million snapshots a second: sixteen partitions are plenty to share out.
insert into journal_partition (partition_id, position)
select partition_id, 0 from generate_series(0, 15) as partition_id;

-- Trades and charts are read far more often than written, and journal entries live for seconds: none
-- is worth the time that compressing takes.
alter table trade_chunk alter column body set storage external;
alter table journal_entry alter column body set storage external;
alter table chart_day alter column hours set storage external;

-- Checkpoints write the same rows again and again: with room for another version in its page a row
-- needs no new place and no new entries of indexes.
alter table live_account set (fillfactor = 45);
alter table equity_minutes set (fillfactor = 45);

-- Entries come and go by the thousand a second; what they leave is to be cleared as steadily.
alter table journal_entry set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000
);
