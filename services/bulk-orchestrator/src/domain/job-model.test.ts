import type { BatchOutcome, JobStatus } from '@tds/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failedWith, refusedWith } from '../test-support/fake-fetcher.ts';
import { isActive, type JobEvent, type JobState, nextState } from './job-state.ts';
import { judge, MOST_TRIES, mayBeRetried, type RowChange, type RowInHand, type Trouble } from './outcomes.ts';

const HOUR_MS = 3_600_000;
const ROWS = 4;

/** A job as the service keeps it: states and rows are what the two pure functions say. */
type Real = {
  state: JobState;
  rows: RowChange[];
  trouble: Trouble;
  now: Date;
};

/** The same in plain words. */
type Plain = {
  status: JobStatus;
  rows: {
    is: 'to do' | 'delivered' | 'failed';
    tries: number;
    charged: number;
    worthIt: boolean;
    since: number | null;
  }[];
  hours: number;
};

const move = (real: Real, event: JobEvent): void => {
  const status = nextState(real.state, event);
  if (status !== null) real.state = { ...real.state, status };
};
const toDo = ({ rows }: Plain) => rows.filter(({ is }) => is === 'to do');

const endIfDone = (real: Real, plain: Plain): void => {
  if (real.rows.every(({ status }) => status !== 'pending')) {
    const isAnyDelivered = real.rows.some(({ status }) => status === 'fetched' || status === 'cached');
    move(real, isAnyDelivered ? 'completed' : 'failed');
  }
  if (toDo(plain).length > 0) return;
  plain.status = plain.rows.some(({ is }) => is === 'delivered') ? 'completed' : 'failed';
};

const end = (real: Real, at: number, outcome: BatchOutcome, isPaid: boolean): void => {
  const before = real.rows[at] as RowChange;
  const row: RowInHand = { ...before.row, tries: before.tries, waitingSince: before.waitingSince };
  const judged = judge([{ row, outcome }], {
    paid: new Set(isPaid ? [row.operationId] : []),
    ...{ trouble: real.trouble, now: real.now, isAnswered: true },
    rowsLeft: real.rows.filter(({ status }) => status === 'pending').length,
  });
  real.rows[at] = judged.changes[0] as RowChange;
  real.trouble = judged.trouble;
  if (judged.pause) move(real, 'paused');
};

const reached = new Set<JobStatus>();
const same = (real: Real, plain: Plain): void => {
  reached.add(plain.status);
  expect(real.state.status).toBe(plain.status);
  const said = { pending: 'to do', cached: 'delivered', fetched: 'delivered', error: 'failed' } as const;
  expect(real.rows.map(({ status }) => said[status as keyof typeof said])).toEqual(
    plain.rows.map(({ is }) => is),
  );
  expect(real.rows.map(({ creditsCharged }) => creditsCharged)).toEqual(
    plain.rows.map(({ charged }) => charged),
  );
};

type Step = fc.Command<Plain, Real>;
const step = (
  name: string,
  check: (plain: Plain) => boolean,
  run: (plain: Plain, real: Real) => void,
): Step => ({
  check: (plain) => check(plain),
  run: (plain, real) => {
    run(plain, real);
    same(real, plain);
  },
  toString: () => name,
});
const canEnd = (at: number) => (plain: Plain) => plain.status === 'running' && plain.rows[at]?.is === 'to do';
const outcomeOf = (ending: ReturnType<typeof failedWith>): BatchOutcome =>
  ending('op', {} as never) as BatchOutcome;

const deliver = (at: number, charge: 0 | 1): Step =>
  step(`deliver ${at} for ${charge}`, canEnd(at), (plain, real) => {
    end(real, at, { state: 'delivered', cache: 'MISS', charge, operationId: 'op' } as BatchOutcome, true);
    Object.assign(plain.rows[at]!, { is: 'delivered', charged: charge });
    endIfDone(real, plain);
  });
const deliverUnpaid = (at: number): Step =>
  step(`deliver ${at} without its credit`, canEnd(at), (_plain, real) => {
    end(real, at, { state: 'delivered', cache: 'MISS', charge: 1, operationId: 'op' } as BatchOutcome, false);
  });
const failForGood = (at: number): Step =>
  step(`fail ${at} for good`, canEnd(at), (plain, real) => {
    end(real, at, outcomeOf(failedWith('no_captions')), false);
    Object.assign(plain.rows[at]!, { is: 'failed', worthIt: false });
    endIfDone(real, plain);
  });
const failForNow = (at: number): Step =>
  step(`fail ${at} for now`, canEnd(at), (plain, real) => {
    end(real, at, outcomeOf(failedWith('translation_refused')), false);
    const row = plain.rows[at]!;
    row.tries += 1;
    if (row.tries === MOST_TRIES) Object.assign(row, { is: 'failed', worthIt: true });
    endIfDone(real, plain);
  });
const notReady = (at: number): Step =>
  step(`${at} is live`, canEnd(at), (plain, real) => {
    end(real, at, outcomeOf(failedWith('transcript_not_ready', 60)), false);
    const row = plain.rows[at]!;
    row.since ??= plain.hours;
    if (plain.hours - row.since >= 6) Object.assign(row, { is: 'failed', worthIt: true });
    endIfDone(real, plain);
  });
const stop = (at: number, outcome: BatchOutcome): Step =>
  step(`${at} meets ${outcome.state === 'delivered' ? '' : outcome.code}`, canEnd(at), (plain, real) => {
    end(real, at, outcome, false);
    plain.status = 'paused';
  });
const told = (event: JobEvent, to: (plain: Plain) => JobStatus): Step =>
  step(
    event,
    () => true,
    (plain, real) => {
      move(real, event);
      plain.status = to(plain);
    },
  );
const retry = step(
  'retry',
  () => true,
  (plain, real) => {
    const again = real.rows.filter(({ status, error }) => status === 'error' && error && mayBeRetried(error));
    if (again.length > 0 && !isActive(real.state.status) && real.state.status !== 'cancelled') {
      real.rows = real.rows.map((row) =>
        again.includes(row) ? { ...row, status: 'pending', tries: 0, waitingSince: null } : row,
      );
      move(real, 'retried');
    }
    const worthIt = plain.rows.filter((row) => row.is === 'failed' && row.worthIt);
    if (!['completed', 'failed'].includes(plain.status) || worthIt.length === 0) return;
    for (const row of worthIt) Object.assign(row, { is: 'to do', tries: 0, since: null });
    plain.status = 'pending';
  },
);
const anHour = step(
  'an hour passes',
  () => true,
  (plain, real) => {
    plain.hours += 1;
    real.now = new Date(real.now.getTime() + HOUR_MS);
  },
);

const steps = Array.from({ length: ROWS }, (_, at) => [
  ...[deliver(at, 0), deliver(at, 1), deliverUnpaid(at), failForGood(at), failForNow(at), notReady(at)],
  stop(at, outcomeOf(failedWith('budget_exhausted', 60))),
  stop(at, outcomeOf(refusedWith('cold_fetch_cap', 60))),
]).flat();
const commands = [
  ...steps,
  told('begun', ({ status }) => (status === 'pending' ? 'running' : status)),
  told('resumed', ({ status }) => (status === 'paused' ? 'pending' : status)),
  told('begun', ({ status }) => (status === 'pending' ? 'running' : status)),
  ...[retry, anHour],
];
const cancel = told('cancelled', ({ status }) =>
  ['completed', 'failed', 'cancelled'].includes(status) ? status : 'cancelled',
);

const setup = (): { model: Plain; real: Real } => {
  const row = (position: number): RowInHand => ({
    ...{
      position,
      videoId: 'v',
      operationId: 'op',
      round: 1,
      part: position + 1,
      tries: 0,
      waitingSince: null,
    },
  });
  const untouched = { status: 'pending', creditsCharged: 0, delivered: null, error: null } as const;
  return {
    model: {
      ...{ status: 'pending', hours: 0 },
      rows: Array.from({ length: ROWS }, () => ({
        ...{ is: 'to do' as const, tries: 0, charged: 0, worthIt: false, since: null },
      })),
    },
    real: {
      state: { status: 'pending', isListed: true },
      rows: Array.from({ length: ROWS }, (_, at) => ({
        ...{ row: row(at), ...untouched, isUnpaid: false, tries: 0, dueAt: null, waitingSince: null },
      })),
      trouble: { count: 0, since: null },
      now: new Date('2026-11-20T12:00:00.000Z'),
    },
  };
};

it('whatever happens in whatever order, a job is in the state, and its rows cost, what plain words say', () => {
  const oneOf = fc.oneof(
    { arbitrary: fc.constantFrom(...commands), weight: 60 },
    { arbitrary: fc.constant(cancel), weight: 1 },
  );
  const sequences = fc.commands([oneOf], { maxCommands: 50, size: 'max' });
  fc.assert(
    fc.property(sequences, (sequence) => fc.modelRun(setup, sequence)),
    { numRuns: 10_000 },
  );
  expect([...reached].toSorted()).toEqual([
    'cancelled',
    'completed',
    'failed',
    'paused',
    'pending',
    'running',
  ]);
});
