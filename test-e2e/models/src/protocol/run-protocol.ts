import fc from 'fast-check';
import { type Action, act, sequences } from './actions.ts';
import { type Coverage, noCoverage } from './coverage.ts';
import { checkInvariant } from './invariant.ts';
import { type Rules, rules } from './rules.ts';
import { drain } from './steps.ts';
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
  readonly coverage: Coverage;
};

const runSequence = (sequence: readonly Action[], given: Rules, coverage: Coverage): void => {
  const world = new World(given);
  for (const action of sequence) act(world, action);
  drain(world);
  checkInvariant(world);
  for (const name of Object.keys(coverage) as (keyof Coverage)[]) coverage[name] += world.coverage[name];
};

/** Runs random sequences of the whole protocol, and checks the invariant after each. */
export const runProtocol = ({
  sequences: numRuns,
  seed,
  hasRestores,
  endOnFailure = false,
  rules: given = rules,
}: ProtocolRun): ProtocolFigures => {
  const coverage = noCoverage();
  const property = fc.property(sequences(hasRestores), (sequence) => runSequence(sequence, given, coverage));
  const {
    failed,
    errorInstance,
    numRuns: at,
    counterexample,
  } = fc.check(property, { numRuns, seed, endOnFailure });
  if (!failed) return { broken: null, coverage };
  const shortest = counterexample?.[0].map(({ kind, a, b }) => `${kind} ${a} ${b}`).join(', ');
  return { broken: `sequence ${at}: ${(errorInstance as Error).message}; it is: ${shortest}`, coverage };
};
