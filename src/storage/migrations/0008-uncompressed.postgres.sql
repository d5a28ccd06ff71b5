-- Trades and charts are read far more often than written, and journal entries live for seconds: none
-- is worth the time that compressing takes. What is stored already stays as it is, and is read all
-- the same.
alter table trade_chunk alter column body set storage external;
alter table journal_entry alter column body set storage external;
alter table chart_day alter column hours set storage external;
