import { expect, it } from '@jest/globals';
import { filesWith } from './test-support/files-with.ts';

const READS_A_CLOCK =
  /performance\.now\(\)|Date\.now\(\) - (?:started|began|begun|opened|from)|leastCpuMs|[cC]puUsage|hrtime|schedstat/;
const MIN_PASSED = 'at least so much passed: a slow machine makes it more';
const MINUTES = 'allows more by each minute that passed';
const STALL = 'holds the event loop up, and asks what notices it';
const TRIES = 'a busy machine gets more tries until the deadline of the test';
const CPU = 'CPU of one thread over that of a baseline in the same run, the least of several tries';
const PROVE = 'runs with `npm run prove` only';

/** The tests that read a clock, and why a slow machine does not make them red. All others count, or order. */
const readers: Readonly<Record<string, string>> = {
  'infra/dev/local/src/rendered-pods.int.test.ts': PROVE,
  'infra/dev/simulators/src/platform/faults/faults.test.ts': MIN_PASSED,
  'infra/dev/simulators/src/platform/special-videos.test.ts': MIN_PASSED,
  'infra/test/jest/src/cpu-time.test.ts': 'the clock is what it tests',
  'packages/base/src/async/deadline.test.ts': STALL,
  'packages/base/src/health/health.test.ts': STALL,
  'packages/base/src/telemetry/event-loop-lag.test.ts': STALL,
  'packages/kit/src/promises/events.int.test.ts': MIN_PASSED,
  'packages/kit/src/promises/leases.int.test.ts': MIN_PASSED,
  'packages/kit/src/promises/partitions.int.test.ts': MIN_PASSED,
  'packages/kit/src/promises/retry-later.int.test.ts': MIN_PASSED,
  'packages/kit/src/promises/schedules.int.test.ts': MIN_PASSED,
  'packages/kit/src/promises/tasks.int.test.ts': MIN_PASSED,
  'packages/kit/src/promises/when-due.int.test.ts': TRIES,
  'services/gateway/src/admission/admission.int.test.ts': MINUTES,
  'services/gateway/src/admission/memory-pressure.int.test.ts': MINUTES,
  'services/gateway/src/cache/hostile-captions.test.ts': CPU,
  'services/gateway/src/cache/passages.test.ts': CPU,
  'services/gateway/src/front/hostile-headers.int.test.ts': CPU,
  'services/gateway/src/front/hostile-requests.int.test.ts': CPU,
  'services/gateway/src/front/server.int.test.ts': MIN_PASSED,
  'services/gateway/src/principals/throttles.int.test.ts': MINUTES,
  'services/gateway/src/redis/redis-guard.test.ts': STALL,
  'services/transcript-fetcher/src/library/hostile-captions.int.test.ts': PROVE,
  'services/webhook-dispatcher/src/upstream/post-webhook.int.test.ts': MIN_PASSED,
  'test-e2e/browser/jobs.int.test.ts': 'allows more streams by each moment that passed',
  'test-e2e/fuzz/src/timing/timing.int.test.ts': 'compares pairs in turns: a busy machine slows both',
  'test-e2e/security/revocation-bound.own.int.test.ts': 'the bound of 30 seconds is the promise',
  'test-e2e/support/src/network.int.test.ts': TRIES,
};

it('no test reads a clock but those that a slow machine does not make red', () => {
  const patterns = ['{packages,services,infra,test-e2e}/**/*.test.ts'];
  const { all, found } = filesWith(READS_A_CLOCK, patterns, import.meta.filename);
  expect(all.length).toBeGreaterThan(500);
  expect(found).toEqual(Object.keys(readers).sort());
});
