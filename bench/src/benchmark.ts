import type { Servers } from '@tds/local';

export type Goal = { readonly least: number } | { readonly most: number };

/** One figure of a run: the ratio of ours to the peer's in every round, or ours alone. */
export type Row = {
  readonly path: string;
  readonly unit: string;
  readonly ours: readonly number[];
  /** Round by round; null if the goal is an absolute figure. */
  readonly peer: readonly number[] | null;
  /** Null if the figure is only reported. */
  readonly goal: Goal | null;
  /** Microseconds of CPU per operation, by process. */
  readonly cpu?: string;
};

export type Outcome = {
  readonly rows: readonly Row[];
  /** What was measured and checked, and other observations. */
  readonly notes: readonly string[];
};

export type Bench = {
  readonly rounds: number;
  /** Seconds of load on one side of one round. */
  readonly seconds: number;
  /** The number of deliveries in a full ledger. */
  readonly deliveries: number;
  /** The folder for files of the run; deleted at the end. */
  readonly dir: string;
  /** The folder for CPU profiles of ended services; null if none are wanted, because they cost some CPU. */
  readonly profileDir: string | null;
  /** Durable servers, started on the first call and shared by the run. */
  servers(): Promise<Servers>;
  say(line: string): void;
};

export type Benchmark = {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<Outcome>;
};
