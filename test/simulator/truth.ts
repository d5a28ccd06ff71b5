import type { BrokerClock } from '../../src/domain/broker-time.ts';
import { StoredCommit } from '../../src/journal/commit-codec.ts';
import type { StreamMessage } from '../../src/journal/jetstream/stream.ts';
import type { Row } from '../../src/storage/database.ts';
import type { SqliteConnection } from '../../src/storage/drivers/sqlite-connection.ts';
import type { World } from './world.ts';

/** When an account existed, in the world's time. */
export type AccountLife = {
  number: number;
  userId: string;
  id: string;
  /** The clock that it was created with. */
  clock: BrokerClock;
  fromMs: number;
  untilMs: number;
};

export type TrueEvent = {
  sequenceNumber: number;
  userId: string;
  accountNumber: number;
  position: number;
  ordinal: number;
  moneyDigits: number;
  record: string;
  /** Of a revision: the number of the event that it revises. */
  revises: number | undefined;
  atMs: number;
};

/** Detects violations of the invariants of stored rows. */
export const GUARDS = `
  create table sim_life (place integer primary key, kind text, number bigint, user_id text, id text,
    clock text);
  create trigger sim_born after insert on account begin
    insert into sim_life (kind, number, user_id, id, clock)
    values ('born', new.number, new.user_id, new.id, new.broker_clock);
  end;
  create trigger sim_gone after delete on account begin
    insert into sim_life (kind, number, user_id, id)
    values ('gone', old.number, old.user_id, old.id);
  end;
  create trigger sim_position before update on journal_entry when old.position is not null begin
    select raise(abort, 'simulator: a commit of the journal was changed that had its position');
  end;
  create trigger sim_event before update of sequence_number on tracker_event
    when old.sequence_number is not null begin
    select raise(abort, 'simulator: the number of an event was changed');
  end;
  create trigger sim_trim before delete on journal_entry
    when old.position is null
      or old.position > (select min(position) from journal_partition) begin
    select raise(abort, 'simulator: a commit was dropped that is not folded everywhere');
  end;
  create table sim_outbox (id integer primary key, position bigint);
  create trigger sim_settled after update of position on journal_outbox
    when old.position is null and new.position is not null begin
    insert into sim_outbox (id, position) values (new.id, new.position);
  end;
  create trigger sim_unsettled before update of position on journal_outbox
    when old.position is not null and new.position is not old.position begin
    select raise(abort, 'simulator: a row of the outbox was settled twice');
  end;
  create trigger sim_outbox_gone before delete on journal_outbox
    when old.position is null
      or old.position > (select min(position) from journal_partition) begin
    select raise(abort, 'simulator: a row of the outbox was dropped that is not folded everywhere');
  end;
  create trigger sim_partition before update on journal_partition
    when new.position < old.position begin
    select raise(abort, 'simulator: a partition went back');
  end;
  create trigger sim_claim before update on claim begin
    select raise(abort, 'simulator: a claim was changed');
  end;
`;

/** The true events, as in the database after each commit. */
export class Truth {
  readonly #world: World;
  /** In order; of a stream, also copies that count for nothing, and marks. */
  readonly commits: { commit: StoredCommit; atMs: number; id: string }[] = [];
  readonly #hasStream: boolean;
  readonly events: TrueEvent[] = [];
  readonly lives = new Map<number, AccountLife>();
  #lastLife = 0;

  constructor(world: World, hasStream: boolean) {
    this.#world = world;
    this.#hasStream = hasStream;
  }

  async observe(writer: SqliteConnection): Promise<void> {
    if (!this.#hasStream) await this.#seeCommits(writer);
    await this.#seeEvents(writer);
    await this.#seeLives(writer);
  }

  /** The account that has an id now. */
  living(userId: string, id: string): AccountLife | undefined {
    for (const life of this.lives.values()) {
      if (life.userId === userId && life.id === id && life.untilMs === Infinity) return life;
    }
    return undefined;
  }

  async #seeCommits(writer: SqliteConnection): Promise<void> {
    const rows = await writer.all<Row & { position: number; body: Uint8Array }>(
      'select position, body from journal_entry where position > $1 order by position',
      [this.commits.length],
    );
    for (const { position, body } of rows) {
      if (position !== this.commits.length + 1) {
        this.#world.fail(`position ${this.commits.length + 1} was left out`);
      }
      const commit = new StoredCommit(position, Uint8Array.from(body));
      this.commits.push({ commit, atMs: this.#world.nowMs, id: '' });
    }
  }

  /** A message of the stream. */
  seeMessage({ sequence, id, body }: StreamMessage): void {
    const commit = new StoredCommit(sequence, body);
    this.commits.push({ commit, atMs: this.#world.nowMs, id });
  }

  /** The commits that count; each row of the outbox is one of them. */
  async counted(writer: SqliteConnection): Promise<StoredCommit[]> {
    if (!this.#hasStream) return this.commits.map(({ commit }) => commit);
    const rows = await writer.all<Row & { id: number; position: number }>(
      'select * from sim_outbox',
    );
    const settled = new Map(rows.map(({ id, position }) => [`outbox-${id}`, position]));
    for (const [id, position] of settled) {
      if (this.commits[position - 1]?.id === id) continue;
      this.#world.fail(`${id} is said to lie at ${position}, and does not`);
    }
    const waiting = await writer.all('select 1 from journal_outbox where position is null');
    if (waiting.length > 0) this.#world.fail(`${waiting.length} rows of the outbox still wait`);
    return this.commits.flatMap(({ commit, id }) =>
      !id.startsWith('outbox-') || settled.get(id) === commit.position ? [commit] : [],
    );
  }

  async #seeEvents(writer: SqliteConnection): Promise<void> {
    const rows = await writer.all<Row & { sequence_number: number; account_number: number }>(
      'select * from tracker_event where sequence_number > $1 order by sequence_number',
      [this.events.length],
    );
    for (const row of rows) {
      if (row.sequence_number !== this.events.length + 1) {
        this.#world.fail(`event ${this.events.length + 1} was left out`);
      }
      this.#world.tell(() => `event ${row.sequence_number} of account ${row.account_number}`);
      this.events.push({
        sequenceNumber: row.sequence_number,
        userId: String(row.user_id),
        accountNumber: row.account_number,
        position: Number(row.position),
        ordinal: Number(row.ordinal),
        moneyDigits: Number(row.money_digits),
        record: String(row.record),
        revises: row.revises === null ? undefined : Number(row.revises),
        atMs: this.#world.nowMs,
      });
    }
  }

  async #seeLives(writer: SqliteConnection): Promise<void> {
    type Life = Row &
      Record<'kind' | 'user_id' | 'id' | 'clock', string> &
      Record<'place' | 'number', number>;
    const rows = await writer.all<Life>('select * from sim_life where place > $1 order by place', [
      this.#lastLife,
    ]);
    for (const { place, kind, number, user_id: userId, id, clock } of rows) {
      this.#lastLife = place;
      const { nowMs } = this.#world;
      this.#world.tell(() => `account ${number} (${userId} ${id}) is ${kind}`);
      if (kind === 'born') {
        if (this.lives.has(number)) this.#world.fail(`account ${number} was born twice`);
        const [shift = '0', zone = ''] = (clock ?? '').split(' ');
        const brokerClock = { zone, shiftHours: Number(shift) };
        const life = { number, userId, id, clock: brokerClock, fromMs: nowMs, untilMs: Infinity };
        this.lives.set(number, life);
      } else {
        const life = this.lives.get(number);
        if (life) life.untilMs = nowMs;
      }
    }
  }
}
