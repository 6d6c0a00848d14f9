import fc from 'fast-check';
import { type Action, act, sequences } from './actions.ts';
import { checkInvariant } from './invariant.ts';
import { type Rules, rules } from './rules.ts';
import { nothingSeen, type Seen } from './seen.ts';
import { rest } from './steps.ts';
import { World } from './world.ts';

export type ProtocolRun = {
  readonly sequences: number;
  readonly seed: number;
  readonly hasRestores: boolean;
  /** Whether a sequence that fails is told as it is, instead of the shortest like it. */
  readonly endOnFailure?: boolean;
  readonly rules?: Rules;
};
export type ProtocolFigures = {
  /** What is wrong after the shortest sequence that was found; null if the invariant held. */
  readonly broken: string | null;
  readonly seen: Seen;
};

const playOne = (sequence: readonly Action[], given: Rules, seen: Seen): void => {
  const world = new World(given);
  for (const action of sequence) act(world, action);
  rest(world);
  checkInvariant(world);
  for (const name of Object.keys(seen) as (keyof Seen)[]) seen[name] += world.seen[name];
};

/** Plays random sequences of the whole protocol, and looks whether nobody was charged, held or kept waiting for nothing. */
export const playProtocol = ({
  sequences: numRuns,
  seed,
  hasRestores,
  endOnFailure = false,
  rules: given = rules,
}: ProtocolRun): ProtocolFigures => {
  const seen = nothingSeen();
  const property = fc.property(sequences(hasRestores), (sequence) => playOne(sequence, given, seen));
  const {
    failed,
    errorInstance,
    numRuns: at,
    counterexample,
  } = fc.check(property, { numRuns, seed, endOnFailure });
  if (!failed) return { broken: null, seen };
  const shortest = counterexample?.[0].map(({ kind, a, b }) => `${kind} ${a} ${b}`).join(', ');
  return { broken: `sequence ${at}: ${(errorInstance as Error).message}; it is: ${shortest}`, seen };
};
