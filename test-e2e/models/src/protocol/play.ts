import fc from 'fast-check';
import { type Action, act, sequences } from './actions.ts';
import { checkInvariant } from './invariant.ts';
import { type Rules, rules } from './rules.ts';
import { type Coverage, nothingSeen } from './seen.ts';
import { rest } from './steps.ts';
import { World } from './world.ts';

export type ProtocolRun = {
  readonly sequences: number;
  readonly seed: number;
  readonly hasRestores: boolean;
  /** Reports a failing sequence as it is, instead of the shortest like it. */
  readonly endOnFailure?: boolean;
  readonly rules?: Rules;
};
export type ProtocolFigures = {
  /** The error after the shortest failing sequence; null if the invariant held. */
  readonly broken: string | null;
  readonly seen: Coverage;
};

const playOne = (sequence: readonly Action[], given: Rules, seen: Coverage): void => {
  const world = new World(given);
  for (const action of sequence) act(world, action);
  rest(world);
  checkInvariant(world);
  for (const name of Object.keys(seen) as (keyof Coverage)[]) seen[name] += world.seen[name];
};

/** Plays random sequences of the whole protocol, and checks the invariant after each. */
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
