import type { Database } from '../src/storage/database.ts';

/** One line of the table: a figure of Plimsoll beside its ceiling or peer of the same run. */
export type Result = {
  name: string;
  /** Median over the rounds. */
  value: number;
  unit: string;
  /** What it is held against, and that one's median. */
  against: string;
  againstValue: number;
  /** Median of value ÷ againstValue of each round, and the least and the greatest of them. */
  ratio: number;
  spread: readonly [least: number, greatest: number];
  goal: string;
  met: boolean;
  /** Medians by size, for what must not grow, or only slowly. */
  growth?: Growth[];
};

/** A result with what a reader needs to trust it. */
export type MeasuredResult = Result & {
  measured: {
    row: string;
    /** Of the code. */
    commit: string;
    dateUtc: string;
    rounds: number;
    quick: boolean;
    /** What others used of the processors before and after; unknown of older results. */
    busyCores?: number;
  };
};

export type Growth = { of: string; unit: string; points: [size: number, value: number][] };

export type Goal = { atLeast: number } | { atMost: number };

/** How thorough a run is. */
export type Bench = {
  /** Interleaved rounds; figures are medians over them. */
  rounds: number;
  /** Seconds of load in each measurement. */
  seconds: number;
  /** Of load that comes at random. */
  minutes: number;
  quick: boolean;
  full: boolean;
  /** Of the sizes of a day and of those that rows of growth go up to: 1, or less. */
  share: number;
  databases: readonly Database['kind'][];
  progress(message: string): void;
};

export type BenchRow = {
  name: string;
  what: string;
  /** Tools of the machine that it can't do without. */
  needs?: readonly string[];
  run(bench: Bench): Promise<Result[]>;
};
