import { auditBooks, type Evidence, type Finding, formatFinding } from '@tds/audit';
import { storedServiceNames } from '@tds/provisioning';
import { boundMs } from '@tds/test-kit';
import { OPEN_OPERATIONS } from './open-operations.ts';
import { sleep } from './until.ts';

const SOON = `now() + interval '2 minutes'`;
const MESSAGES = `
  SELECT (SELECT count(*) FROM messaging.outbox WHERE published_at IS NULL)::int
    + (SELECT count(*) FROM messaging.tasks WHERE state = 'ready' AND due_at < ${SOON})::int AS count`;
const OPEN: readonly (readonly [service: string, sql: string])[] = [
  ...storedServiceNames.map((service) => [service, MESSAGES] as const),
  ['transcript-fetcher', OPEN_OPERATIONS],
  ['search', `SELECT count(*)::int AS count FROM searches WHERE state IN ('open', 'fetched')`],
  [
    'bulk-orchestrator',
    'SELECT count(*)::int AS count FROM jobs WHERE finished_at IS NULL AND pause_reason IS NULL',
  ],
  [
    'webhook-dispatcher',
    `SELECT count(*)::int AS count FROM deliveries WHERE ended_at IS NULL AND due_at < ${SOON}`,
  ],
];

const hasOpenWork = async ({ rows }: Pick<Evidence, 'rows'>): Promise<boolean> => {
  for (const [service, sql] of OPEN)
    if ((await rows<{ count: number }>(service, sql)).some(({ count }) => count > 0)) return true;
  return false;
};

type Options = {
  /** What is looked at, if it is not all. */
  readonly audit?: (evidence: Evidence) => Promise<readonly Finding[]>;
  readonly everyMs?: number;
  readonly withinMs?: number;
  /** So long the same breaches stand, without open work, in books that are wrong for good. */
  readonly stillMs?: number;
};

/** Resolves once the books agree. Rejects with the breaches when nothing is open any more that could mend them, or after `withinMs`. */
export const booksAgree = async (
  evidence: Evidence,
  { audit = auditBooks, everyMs = 1_000, withinMs = boundMs(), stillMs = boundMs() / 6 }: Options = {},
): Promise<void> => {
  const deadline = performance.now() + withinMs;
  let [before, since] = ['', 0];
  for (;;) {
    const breaches = (await audit(evidence)).map(formatFinding).join('\n');
    if (breaches === '') return;
    const isMoving = breaches !== before || (await hasOpenWork(evidence));
    const now = performance.now();
    if (isMoving) [before, since] = [breaches, now];
    if (now - since > stillMs) throw new Error(`the books are wrong at rest:\n${breaches}`);
    if (now > deadline) throw new Error(`the books are wrong after ${withinMs / 1_000} s:\n${breaches}`);
    await sleep(everyMs);
  }
};
