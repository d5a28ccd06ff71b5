-- Functions of PostgreSQL, replaced at each start, so that they may change with the code that calls
-- them. One whose parameters change needs a `drop function if exists` with the former ones above it.
-- SQLite does the same in TypeScript (event-store.ts, event-number-store.ts, journal-store.ts), and
-- test/storage-contract/both-databases.test.ts compares what both leave behind.
--
-- What follows runs within one statement, so that a client that is paused or cut off never keeps a
-- lock that others need: the server ends the statement, and the transaction with it, by itself. Each
-- query of a function sees what was committed before it began.

-- Gives waiting entries their positions, in the order of their ids. The caller holds the lock.
create or replace function journal_number_waiting() returns void language plpgsql as $$
declare given bigint;
begin
  if not exists (select 1 from journal_entry where position is null) then return; end if;
  with waiting as (
    select id, row_number() over (order by id) as place from journal_entry where position is null
  ), numbered as (
    update journal_entry set position = journal_head.position + waiting.place
    from waiting, journal_head where journal_entry.id = waiting.id and journal_head.id = 1
    returning 1
  )
  select count(*) into given from numbered;
  update journal_head set position = position + given where id = 1;
end $$;

-- Appends a commit. Its position, or null where somebody else was giving positions: nobody waits.
create or replace function journal_append(given_received_utc_ms bigint, given_body bytea) returns bigint
language plpgsql as $$
declare place bigint;
begin
  if pg_try_advisory_xact_lock(hashtextextended('plimsoll:journal', 0)) then
    perform journal_number_waiting();
    update journal_head set position = position + 1 where id = 1 returning position into place;
  end if;
  insert into journal_entry (position, received_utc_ms, body)
  values (place, given_received_utc_ms, given_body);
  -- After the insertion, which waits for whoever moves the journal.
  if exists (select 1 from journal_head where stream is not null) then
    raise exception 'The journal was moved to a stream' using errcode = 'cannot_connect_now';
  end if;
  return place;
end $$;

-- The last position, once everything committed before the call has one; null while somebody else
-- is giving positions. What positions depend on is on disk before anything that follows from them,
-- so this commit alone need not wait for the disk.
create or replace function journal_settle() returns bigint language plpgsql as $$
begin
  if exists (select 1 from journal_entry where position is null) then
    if not pg_try_advisory_xact_lock(hashtextextended('plimsoll:journal', 0)) then
      return null;
    end if;
    perform set_config('synchronous_commit', 'off', true);
    perform journal_number_waiting();
  end if;
  return (select position from journal_head where id = 1);
end $$;

-- Gives waiting events their numbers in the feed, in the order of the journal. The caller holds the
-- lock, up to the end of its transaction: so numbers are committed in their order, without gaps.
-- Row by row, as in store_events: one statement for all of them is planned again for each call, which
-- costs more than it saves. An event has its number before its revision, which says so.
create or replace function number_waiting_events() returns void language plpgsql as $$
declare first bigint; last bigint; item record;
begin
  select last_number into first from event_head where id = 1;
  last := first;
  for item in
    select account_number, tracker_id, kind, start_time_ms, round, revised_kind, revised_round
    from tracker_event where sequence_number is null order by position, partition_id, ordinal
  loop
    update tracker_event set sequence_number = last + 1, revises = (
      select told.sequence_number from tracker_event told
      where told.account_number = item.account_number and told.tracker_id = item.tracker_id
        and told.kind = item.revised_kind and told.start_time_ms = item.start_time_ms
        and told.round = item.revised_round)
    where account_number = item.account_number and tracker_id = item.tracker_id
      and kind = item.kind and start_time_ms = item.start_time_ms and round = item.round;
    if found then last := last + 1; end if;
  end loop;
  if last > first then update event_head set last_number = last where id = 1; end if;
end $$;

-- The last number, once every event committed before the call has one; null while somebody else
-- is numbering.
create or replace function number_events() returns bigint language plpgsql as $$
begin
  if exists (select 1 from tracker_event where sequence_number is null) then
    if not pg_try_advisory_xact_lock(hashtextextended('plimsoll:events', 0)) then
      return null;
    end if;
    perform number_waiting_events();
  end if;
  return (select last_number from event_head where id = 1);
end $$;

-- Stores events of partitions, each for the owner with its epoch, and numbers them unless somebody else
-- is numbering: last_number, or null. Events that are there already, and those of accounts that are
-- gone, are left out. stored: the places of the owners whose events were stored, from 1 on. Of the others
-- nothing is: their partition is another's, or is just being taken, or one of their events was refused.
-- Where given_alone is 1 a partition that is being taken is waited for, and what is refused is raised.
create or replace function store_events(
  given_alone bigint, owned_partitions bigint[], owned_epochs bigint[], given_owners bigint[],
  given_accounts bigint[], given_trackers text[],
  given_starts_ms bigint[], given_rounds bigint[], given_positions bigint[], given_ordinals bigint[],
  given_times_ms bigint[], given_kinds text[], given_digits bigint[], given_records text[],
  given_befores bytea[], given_acknowledged_ms bigint[], given_watched bigint[],
  given_revised_kinds text[], given_revised_rounds bigint[], given_still_exceeded bigint[],
  given_acting_ids text[], given_period_ends_ms bigint[], given_now_ms bigint,
  out stored bigint[], out last_number bigint
) language plpgsql as $$
declare first bigint; last bigint; item record;
begin
  if given_alone = 1 then
    stored := array(
      select place from unnest(owned_epochs) with ordinality as owned (fence, place)
      join claim using (fence)
      for share of claim);
  else
    stored := array(
      select place from unnest(owned_epochs) with ordinality as owned (fence, place)
      join claim using (fence)
      for share of claim skip locked);
  end if;
  if cardinality(stored) = 0 then return; end if;
  if pg_try_advisory_xact_lock(hashtextextended('plimsoll:events', 0)) then
    perform number_waiting_events();
    select event_head.last_number into first from event_head where id = 1;
  end if;
  last := first;
  while cardinality(stored) > 0 loop
    begin
      for item in
        select owned_partitions[owner] as partition_id, event.* from unnest(given_owners,
          given_accounts, given_trackers, given_starts_ms, given_rounds, given_positions,
          given_ordinals, given_times_ms, given_kinds, given_digits, given_records, given_befores,
          given_acknowledged_ms, given_watched, given_revised_kinds, given_revised_rounds,
          given_still_exceeded, given_acting_ids, given_period_ends_ms)
          as event (owner, account_number, tracker_id, start_time_ms, round, position, ordinal, time_ms,
          kind, digits, record, before, acknowledged_ms, watched, revised_kind, revised_round,
          still_exceeded, acting_id, period_end_ms)
        where owner = any (stored)
        order by position, owned_partitions[owner], ordinal
      loop
        insert into tracker_event (account_number, tracker_id, start_time_ms, round, user_id, position,
          partition_id, ordinal, sequence_number, time_ms, kind, money_digits, record,
          before_breach, after_breach, watched, acknowledged_at_ms, revised_kind, revised_round,
          still_exceeded, revises)
        select number, item.tracker_id, item.start_time_ms, item.round, user_id, item.position,
          item.partition_id, item.ordinal, last + 1, item.time_ms, item.kind, item.digits, item.record,
          item.before, ''::bytea, item.watched, item.acknowledged_ms, item.revised_kind,
          item.revised_round, item.still_exceeded, case when last is not null then (
            select told.sequence_number from tracker_event told
            where told.account_number = number and told.tracker_id = item.tracker_id
              and told.kind = item.revised_kind and told.start_time_ms = item.start_time_ms
              and told.round = item.revised_round) end
        from account where number = item.account_number
        on conflict (account_number, tracker_id, kind, start_time_ms, round) do nothing;
        if found then
          last := last + 1;
          if item.revised_kind in ('drawdown', 'profit') then
            update tracker_event set acknowledged_at_ms = null
            where account_number = item.account_number and tracker_id = item.tracker_id
              and kind = item.revised_kind and start_time_ms = item.start_time_ms
              and round = item.revised_round;
          end if;
          if item.acting_id is not null then
            insert into breach_action (account_number, tracker_id, subject_id, start_time_ms, round, place,
              user_id, time_ms, action, group_name, is_dry_run, moment, confirm, state,
              attempts, due_at_ms, period_end_ms, is_found, created_at_ms)
            select wanted.account_number, wanted.tracker_id, item.tracker_id, item.start_time_ms,
              item.round, wanted.place, account.user_id, item.time_ms, wanted.action, wanted.group_name,
              wanted.is_dry_run, wanted.moment, wanted.confirm, 'waiting', 0, 0,
              item.period_end_ms, 0, given_now_ms
            from tracker_action wanted join account on account.number = wanted.account_number
            where wanted.account_number = item.account_number and wanted.tracker_id = item.acting_id
              and case when wanted.moment in ('breach', 'reset', 'passing')
                then item.kind in ('drawdown', 'enrolment') else item.kind = wanted.moment end
            order by wanted.place
            on conflict (account_number, tracker_id, start_time_ms, round, place) do nothing;
          end if;
        end if;
      end loop;
      exit;
    exception when others then
      if given_alone = 1 or (item.owner = any (stored)) is not true then raise; end if;
      stored := array_remove(stored, item.owner);
      last := first;
    end;
  end loop;
  if last > first then update event_head set last_number = last where id = 1; end if;
  last_number := last;
end $$;
