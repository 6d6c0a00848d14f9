import { expect, it } from '@jest/globals';
import { filesWith } from './test-support/files-with.ts';

const WRITES_LEASES_OR_DUE_TIMES =
  /\b(?:due_at|lease_until|lease_epoch|read_until|look_at|next_attempt_at)\s*=(?!=)|\bSET\b[^;`]*\battempts\s*=/;

const MODULE = 'it is `dueRows`';
const BREAKS = 'breaks the books on purpose, of a system at rest';
const BENCH = 'a bench writes rows of a database that no process works on';
const ON_PURPOSE = 'takes an attempt from its process on purpose, or writes while none is alive';
const ALONE = 'tests claims themselves: no process of a service works on its database';
const GUARDED = 'changes a row only while it has no lease, in the same statement';
const NOT_DUE = 'changes only rows whose time has not come, which no process holds';
const READS = 'compares, and writes nothing';

/** The files of tests that write leases, due times or attempts themselves, and why a living process does not mind. All others ask `dueRows`. */
const writers: Readonly<Record<string, string>> = {
  'infra/measure/bench/src/testing/claims.ts': BENCH,
  'infra/test/test-kit/src/due-rows.int.test.ts': MODULE,
  'infra/test/test-kit/src/due-rows.ts': MODULE,
  'packages/kit/src/promises/leases.int.test.ts': ON_PURPOSE,
  'packages/kit/src/promises/partitions.int.test.ts': ON_PURPOSE,
  'packages/kit/src/promises/schedules.int.test.ts': NOT_DUE,
  'packages/kit/src/promises/stopping.int.test.ts': READS,
  'packages/kit/src/promises/unreadable-events.int.test.ts': GUARDED,
  'packages/kit/src/test-support/run-schedule.ts': GUARDED,
  'packages/queue/src/define-queue.int.test.ts': ALONE,
  'packages/queue/src/drain-due.int.test.ts': ALONE,
  'packages/queue/src/poll.int.test.ts': ALONE,
  'packages/queue/src/tasks/claim-tasks.int.test.ts': ALONE,
  'services/bulk-orchestrator/src/application/apply-changes.int.test.ts': GUARDED,
  'services/bulk-orchestrator/src/lost-and-restored.int.test.ts': GUARDED,
  'services/webhook-dispatcher/src/killed-on-the-way.int.test.ts': ON_PURPOSE,
  'test-e2e/chaos/src/load/uploads.ts': NOT_DUE,
  'test-e2e/chaos/src/quiesce.ts': NOT_DUE,
  'test-e2e/promises/broken-charges.ts': BREAKS,
  'test-e2e/promises/broken-monitors.ts': BREAKS,
  'test-e2e/promises/broken-work.ts': BREAKS,
};

it('no test writes leases, due times or attempts of rows that a living process may hold', () => {
  const patterns = [
    '{packages,services,infra}/**/*.test.ts',
    '{packages,services,infra}/**/{test-support,testing}/**/*.ts',
    '{infra/test,test-e2e}/**/*.ts',
  ];
  const { all, found } = filesWith(WRITES_LEASES_OR_DUE_TIMES, patterns, import.meta.filename);
  expect(all.length).toBeGreaterThan(800);
  expect(found).toEqual(Object.keys(writers).sort());
});
