import type { Evidence, Finding } from '@tds/audit';
import type { CallRecord, History } from '../history.ts';

const JOBS = 'SELECT account_id, idempotency_key AS key, status FROM jobs WHERE idempotency_key IS NOT NULL';

type Job = { account_id: string; key: string; status: string };

const isAccepted = ({ kind, status }: CallRecord): boolean => kind === 'job' && status === 202;

/** I5: all answers to one Idempotency-Key are the same. */
const checkAnswers = (accepted: readonly CallRecord[]): Finding[] => {
  const byKey = Map.groupBy(accepted, ({ about }) => about);
  return [...byKey].flatMap(([key, calls]) => {
    const different = new Set(calls.map(({ sha256 }) => sha256)).size;
    const finding = { invariant: 'I5', subject: `job ${key}`, what: 'answers to its key' };
    return different === 1 ? [] : [{ ...finding, expected: 'one', found: `${different} different` }];
  });
};

/** I3 and I4: a job that an answer reported is there, and has ended or is paused. */
export const checkJobs = async ({ rows }: Evidence, { calls }: Pick<History, 'calls'>): Promise<Finding[]> => {
  const accepted = calls.filter(isAccepted);
  const jobs = new Map(
    (await rows<Job>('bulk-orchestrator', JOBS)).map((job) => [`${job.account_id} ${job.key}`, job]),
  );
  const lost = accepted.filter(({ accountId, about }) => !jobs.has(`${accountId} ${about}`));
  return [
    ...checkAnswers(accepted),
    ...lost.map(({ about }) => ({
      ...{ invariant: 'I3', subject: `job ${about}`, what: 'a job that was accepted' },
      ...{ expected: 'there', found: 'gone' },
    })),
  ];
};
