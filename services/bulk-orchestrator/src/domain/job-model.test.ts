import { expect, it } from '@jest/globals';
import type { JobStatus, PauseReason } from '@tds/contracts';
import { proven } from '@tds/test-kit';
import fc from 'fast-check';
import { failedWith } from '../test-support/changes.ts';
import { computeStatus, hasEnded, type RowFacts } from './job-state.ts';
import {
  asCancelled,
  evaluate,
  MAX_ATTEMPTS,
  mayBeRetried,
  type Outcome,
  type RowChange,
  releaseRow,
  type Trouble,
} from './outcomes.ts';

const HOUR_MS = 3_600_000;
const ROWS = 3;

/** A job as the service keeps it: the pure functions derive its status and rows. */
type RealJob = {
  status: JobStatus;
  pauseReason: PauseReason | null;
  rows: (RowChange & { isThere: boolean })[];
  trouble: Trouble;
  now: Date;
};

/** The same in a plain model. */
type ModelJob = {
  status: JobStatus;
  isHeld: boolean;
  rows: {
    is: 'waits' | 'there' | 'delivered' | 'failed' | 'cancelled';
    tries: number;
    charged: number;
    worthIt: boolean;
    isLive: boolean;
    since: number | null;
  }[];
  hours: number;
};

const isLeft = ({ status }: RowChange): boolean => status === 'pending' || status === 'processing';
const toFacts = ({ rows }: RealJob): RowFacts => {
  const left = rows.filter(isLeft);
  return {
    remaining: left.length,
    atFetcher: left.filter(({ isThere }) => isThere).length,
    waitingForBroadcast: left.filter(({ waitingFor }) => waitingFor === 'broadcast').length,
    delivered: rows.filter(({ status }) => status === 'fetched' || status === 'cached').length,
    nextAttemptAt: null,
  };
};
/** Derives the saved fields after each change. */
const settle = (real: RealJob): void => {
  const nothing = { pausedSince: null, lookAt: null, openingId: null, troubleSince: null, dueAt: null };
  const { status, pauseReason, now: startedAt } = real;
  const job = { ...nothing, isListed: true, startedAt, status, pauseReason };
  real.status = computeStatus(job, toFacts(real));
};

const left = ({ rows }: ModelJob) => rows.filter(({ is }) => is === 'waits' || is === 'there');
const settlePlain = (plain: ModelJob): void => {
  if (['completed', 'failed', 'cancelled'].includes(plain.status)) return;
  const rows = left(plain);
  if (rows.length === 0)
    plain.status = plain.rows.some(({ is }) => is === 'delivered') ? 'completed' : 'failed';
  else if (rows.some(({ is }) => is === 'there')) plain.status = 'running';
  else plain.status = plain.isHeld || rows.every(({ isLive }) => isLive) ? 'paused' : 'running';
};

const end = (real: RealJob, at: number, outcome: Outcome): void => {
  const row = real.rows[at] as RowChange;
  const evaluated = evaluate([{ row, outcome }], {
    trouble: real.trouble,
    now: real.now,
    isAnswered: true,
    isAutomatic: false,
    isOver: hasEnded(real.status),
    rowsLeft: real.rows.filter(isLeft).length,
  });
  real.rows[at] = { ...(evaluated.changes[0] as RowChange), isThere: false };
  real.trouble = evaluated.trouble;
  if (evaluated.pause) real.pauseReason = evaluated.pause.reason;
};

const reached = new Set<JobStatus>();
const toWord = ({ status, isThere }: RealJob['rows'][number]): ModelJob['rows'][number]['is'] => {
  if (status === 'pending' || status === 'processing') return isThere ? 'there' : 'waits';
  if (status === 'error') return 'failed';
  return status === 'cancelled' ? 'cancelled' : 'delivered';
};
const same = (real: RealJob, plain: ModelJob): void => {
  reached.add(plain.status);
  expect(real.status).toBe(plain.status);
  expect(real.rows.map(toWord)).toEqual(plain.rows.map(({ is }) => is));
  expect(real.rows.map(({ delivered }) => delivered?.charge ?? 0)).toEqual(
    plain.rows.map(({ charged }) => charged),
  );
};

type Step = fc.Command<ModelJob, RealJob>;
const step = (
  name: string,
  check: (plain: ModelJob) => boolean,
  run: (plain: ModelJob, real: RealJob) => void,
): Step => ({
  check: (plain) => check(plain),
  run: (plain, real) => {
    run(plain, real);
    settle(real);
    settlePlain(plain);
    same(real, plain);
  },
  toString: () => name,
});
const isThere = (at: number) => (plain: ModelJob) => plain.rows[at]?.is === 'there';
const anyTime = () => true;
const toOutcome = (ending: ReturnType<typeof failedWith>): Outcome =>
  ending({ operationId: 'op', position: 0, videoId: 'v' }, {} as never) as Outcome;

/** A row that may be retried waits, or is cancelled in a cancelled job. */
const waits = (plain: ModelJob, at: number, isLive = false): void => {
  Object.assign(plain.rows[at]!, { is: plain.status === 'cancelled' ? 'cancelled' : 'waits', isLive });
};
const deliver = (at: number, charge: 0 | 1): Step =>
  step(`deliver ${at} for ${charge}`, isThere(at), (plain, real) => {
    end(real, at, { state: 'delivered', cache: 'MISS', charge, operationId: 'op' } as Outcome);
    Object.assign(plain.rows[at]!, { is: 'delivered', charged: charge });
  });
const failForGood = (at: number): Step =>
  step(`fail ${at} for good`, isThere(at), (plain, real) => {
    end(real, at, toOutcome(failedWith('no_captions')));
    Object.assign(plain.rows[at]!, { is: 'failed', worthIt: false });
  });
const failForNow = (at: number): Step =>
  step(`fail ${at} for now`, isThere(at), (plain, real) => {
    end(real, at, toOutcome(failedWith('translation_refused')));
    const row = plain.rows[at]!;
    row.tries += 1;
    if (row.tries === MAX_ATTEMPTS) Object.assign(row, { is: 'failed', worthIt: true });
    else waits(plain, at);
  });
const notReady = (at: number): Step =>
  step(`${at} is live`, isThere(at), (plain, real) => {
    end(real, at, toOutcome(failedWith('transcript_not_ready', 60)));
    const row = plain.rows[at]!;
    row.since ??= plain.hours;
    if (plain.hours - row.since >= 6) Object.assign(row, { is: 'failed', worthIt: true });
    else waits(plain, at, true);
  });
const stop = (at: number, code: 'budget_exhausted' | 'cold_fetch_cap'): Step =>
  step(`${at} meets ${code}`, isThere(at), (plain, real) => {
    end(real, at, toOutcome(failedWith(code, 60)));
    if (plain.status !== 'cancelled') plain.isHeld = true;
    waits(plain, at);
  });
const open = (at: number): Step =>
  step(
    `open ${at}`,
    (plain) => plain.rows[at]?.is === 'waits' && !plain.isHeld,
    (plain, real) => {
      Object.assign(plain.rows[at]!, { is: 'there', isLive: false });
      Object.assign(real.rows[at]!, { isThere: true, waitingFor: null, nextAttemptAt: null });
    },
  );
const resume = step('resume', anyTime, (plain, real) => {
  real.pauseReason = null;
  plain.isHeld = false;
});
const cancel = step('cancel', anyTime, (plain, real) => {
  if (!hasEnded(real.status)) {
    real.status = 'cancelled';
    real.rows = real.rows.map((row) => (row.isThere ? row : { ...asCancelled(row), isThere: false }));
  }
  if (['completed', 'failed', 'cancelled'].includes(plain.status)) return;
  plain.status = 'cancelled';
  for (const row of plain.rows) if (row.is === 'waits') row.is = 'cancelled';
});
const retry = step('retry', anyTime, (plain, real) => {
  const again = real.rows.filter(({ status, error }) => status === 'error' && error && mayBeRetried(error));
  if (again.length > 0 && hasEnded(real.status) && real.status !== 'cancelled') {
    real.rows = real.rows.map((row) =>
      again.includes(row) ? { ...row, status: 'pending', tries: 0, waitingSince: null, error: null } : row,
    );
    Object.assign(real, { status: 'running', pauseReason: null });
  }
  const worthIt = plain.rows.filter((row) => row.is === 'failed' && row.worthIt);
  if (!['completed', 'failed'].includes(plain.status) || worthIt.length === 0) return;
  for (const row of worthIt) Object.assign(row, { is: 'waits', tries: 0, since: null, isLive: false });
  Object.assign(plain, { status: 'running', isHeld: false });
});
const anHour = step('an hour passes', anyTime, (plain, real) => {
  plain.hours += 1;
  real.now = new Date(real.now.getTime() + HOUR_MS);
});

const steps = Array.from({ length: ROWS }, (_, at) => [
  open(at),
  open(at),
  open(at),
  deliver(at, 0),
  deliver(at, 1),
  failForGood(at),
  failForGood(at),
  failForNow(at),
  notReady(at),
  stop(at, 'budget_exhausted'),
  stop(at, 'cold_fetch_cap'),
]).flat();
const commands = [...steps, resume, resume, resume, retry, anHour];

const plainRow = { is: 'waits', tries: 0, charged: 0, worthIt: false, isLive: false, since: null } as const;
const setup = (): { model: ModelJob; real: RealJob } => ({
  model: {
    status: 'running',
    isHeld: false,
    hours: 0,
    rows: Array.from({ length: ROWS }, () => ({ ...plainRow })),
  },
  real: {
    status: 'running',
    pauseReason: null,
    rows: Array.from({ length: ROWS }, (_, position) => ({
      ...releaseRow({ position, tries: 0, waitingSince: null }),
      isThere: false,
    })),
    trouble: { count: 0, since: null },
    now: new Date('2026-11-20T12:00:00.000Z'),
  },
});

it('after any sequence of steps a job has the status, and its rows the costs, of the plain model', () => {
  const oneOf = fc.oneof(
    { arbitrary: fc.constantFrom(...commands), weight: 60 },
    { arbitrary: fc.constant(cancel), weight: 1 },
  );
  const sequences = fc.commands([oneOf], { maxCommands: 50, size: 'max' });
  fc.assert(
    fc.property(sequences, (sequence) => fc.modelRun(setup, sequence)),
    { numRuns: proven(2_000, 100_000) },
  );
  expect([...reached].toSorted()).toEqual(['cancelled', 'completed', 'failed', 'paused', 'running']);
});
