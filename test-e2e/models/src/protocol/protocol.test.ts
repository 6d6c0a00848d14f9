import { describe, expect, it } from '@jest/globals';
import { type Rule, rules } from './rules.ts';
import { runProtocol } from './run-protocol.ts';
import { rare } from './scenarios.ts';

const SEED = 20_261_122;

describe('random sequences of the whole protocol', () => {
  it('charge each delivery once, hold nothing without need, and leave no job without an end or a reason', () => {
    const { broken, coverage } = runProtocol({ sequences: 500, seed: SEED, hasRestores: false });
    expect(broken).toBeNull();
    expect(coverage.deliveries).toBeGreaterThan(500);
    const { shared, begunBeforeTheirStop, refusedCreations, retries, takeovers, lateCommands, deaths } =
      coverage;
    const counts = [shared, begunBeforeTheirStop, refusedCreations, retries, takeovers, lateCommands, deaths];
    expect(Math.min(...counts)).toBeGreaterThan(5);
  });

  it('have the same result if the database of the ledger or of the jobs is restored to an earlier state', () => {
    const { broken, coverage } = runProtocol({ sequences: 500, seed: SEED, hasRestores: true });
    expect(broken).toBeNull();
    const { restores, chargedAgain, releasedByComparison, waivedBatches } = coverage;
    const counts = [restores, chargedAgain, releasedByComparison, waivedBatches];
    expect(Math.min(...counts)).toBeGreaterThan(3);
  });
});

/** Rules that matter only after a restore. */
const ofRestores: ReadonlySet<Rule> = new Set(['chargesAgain']);

describe('without the rule', () => {
  it.each((Object.keys(rules) as Rule[]).filter((rule) => !(rule in rare)))(
    '%s the invariant breaks',
    (rule) => {
      const given = { sequences: 3_000, seed: SEED, hasRestores: ofRestores.has(rule), endOnFailure: true };
      expect(runProtocol({ ...given, rules: { ...rules, [rule]: false } }).broken).toMatch(/^sequence/);
    },
  );

  it.each(Object.entries(rare))('%s a rare sequence breaks', (rule, run) => {
    expect(() => run({ ...rules, [rule]: false })).toThrow();
    run(rules);
  });
});
