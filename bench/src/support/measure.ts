import type { Bench, Goal, Row } from '../benchmark.ts';

type Sides<Ours, Peer> = {
  /** Measures one side of one round; load lasts `seconds`. */
  readonly ours: (seconds: number) => Promise<Ours>;
  readonly peer: (seconds: number) => Promise<Peer>;
  /** Runs both sides once before the rounds. */
  readonly warmUpSeconds?: number;
};
export type Rounds<Ours, Peer = Ours> = { readonly ours: readonly Ours[]; readonly peer: readonly Peer[] };

/** Measures both sides in turns, so that both see the same machine. */
export async function measure<Ours, Peer>(
  { rounds, seconds }: Bench,
  sides: Sides<Ours, Peer>,
): Promise<Rounds<Ours, Peer>> {
  const ours: Ours[] = [];
  const peer: Peer[] = [];
  if (sides.warmUpSeconds !== undefined) {
    await sides.ours(sides.warmUpSeconds);
    await sides.peer(sides.warmUpSeconds);
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
export async function repeat<Result>({ rounds }: Bench, once: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < rounds) results.push(await once());
  return results;
}

type RowOptions = {
  readonly ours: readonly number[];
  readonly peer?: readonly number[] | null;
  readonly goal?: Goal | null;
  readonly cpu?: string;
};

/** A figure without a peer or a goal unless they are given. */
export const row = (path: string, unit: string, { peer = null, goal = null, ...rest }: RowOptions): Row => ({
  path,
  unit,
  peer,
  goal,
  ...rest,
});

/** A figure of both sides, round by round. */
export const pick = <Result>(
  { ours, peer }: Rounds<Result>,
  of: (result: Result) => number,
): Pick<Row, 'ours' | 'peer'> => ({ ours: ours.map(of), peer: peer.map(of) });
