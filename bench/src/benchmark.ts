import type { Servers } from '@tds/local';

export type Goal = { readonly least: number } | { readonly most: number };

/** One figure of a run: a ratio of ours to the peer's in every round, or a figure of ours alone. */
export type Row = {
  readonly path: string;
  readonly unit: string;
  readonly ours: readonly number[];
  /** Round by round; null where the goal is a figure of its own. */
  readonly peer: readonly number[] | null;
  /** Null where the figure is only told. */
  readonly goal: Goal | null;
  /** Microseconds of CPU per operation, by process. */
  readonly cpu?: string;
};

export type Outcome = {
  readonly rows: readonly Row[];
  /** What was done and checked, and what else was seen. */
  readonly notes: readonly string[];
};

/** What a benchmark works with. */
export type Bench = {
  readonly rounds: number;
  /** How long one side of one round is measured. */
  readonly seconds: number;
  /** How many deliveries a full ledger has. */
  readonly deliveries: number;
  /** For what leaves files; removed at the end. */
  readonly dir: string;
  /** Where services leave CPU profiles when they end; null where nobody wants them, for they cost a little. */
  readonly profileDir: string | null;
  /** Durable ones, started when first asked for and shared by the run. */
  servers(): Promise<Servers>;
  say(line: string): void;
};

export type Benchmark = {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<Outcome>;
};
