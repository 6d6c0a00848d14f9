import type { Servers } from '@tds/local';

/** The median of the rounds is at least or at most this. */
export type Goal = { readonly min: number } | { readonly max: number };

/** One figure of a run: the ratio of ours to the peer's in every round, or ours alone. */
export type Row = {
  readonly path: string;
  readonly unit: string;
  readonly ours: readonly number[];
  /** Round by round; absent if the goal is an absolute figure. */
  readonly peer?: readonly number[] | null;
  /** Absent if the figure is only reported. */
  readonly goal?: Goal | null;
  /** A median difference from the peer of at most this meets the goal. */
  readonly noise?: number;
  /** Microseconds of CPU per operation, by process. */
  readonly cpu?: string;
};

/** `notes` say what was measured and checked. */
export type Outcome = { readonly rows: readonly Row[]; readonly notes: readonly string[] };

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
  /** Durable servers, shared by the run. */
  readonly servers: Servers;
  log(line: string): void;
};

/** `benchmarks/NAME.ts` exports it as `benchmark`. */
export type Benchmark = { readonly title: string; run(bench: Bench): Promise<Outcome> };

export type Rounds<Ours, Peer = Ours> = { readonly ours: readonly Ours[]; readonly peer: readonly Peer[] };

export const WARM_UP_SECONDS = 2;

type Sides<Ours, Peer> = {
  /** Measures one side of one round; load lasts `seconds`. */
  readonly ours: (seconds: number) => Promise<Ours>;
  readonly peer: (seconds: number) => Promise<Peer>;
  /** True to run both sides once before the rounds. */
  readonly warmUp?: boolean;
};

/** Measures both sides in turns, so that both see the same machine. */
export async function measure<Ours, Peer>(
  { rounds, seconds }: Bench,
  sides: Sides<Ours, Peer>,
): Promise<Rounds<Ours, Peer>> {
  const ours: Ours[] = [];
  const peer: Peer[] = [];
  if (sides.warmUp) {
    await sides.ours(WARM_UP_SECONDS);
    await sides.peer(WARM_UP_SECONDS);
  }
  for (let round = 0; round < rounds; round += 1) {
    const turns = [
      async () => void ours.push(await sides.ours(seconds)),
      async () => void peer.push(await sides.peer(seconds)),
    ];
    // The order alternates, so that neither side always inherits the other's dirty pages.
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  return { ours, peer };
}

/** Measures a figure that has no peer, once per round. */
export async function repeat<Result>(rounds: number, once: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < rounds) results.push(await once());
  return results;
}

/** A figure of both sides, round by round. */
export const pick = <Result>({ ours, peer }: Rounds<Result>, select: (result: Result) => number) => ({
  ours: ours.map(select),
  peer: peer.map(select),
});

/** NaN for an empty list. */
export const percentile = (values: ArrayLike<number>, part: number): number => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
};

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
