import { auditBooks, type Evidence, type Finding, formatFinding } from '@tds/audit';
import { boundMs } from '@tds/test-kit';
import { countOpenWork } from './open-work.ts';
import { sleep } from './until.ts';

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
    const isMoving = breaches !== before || Object.keys(await countOpenWork(evidence)).length > 0;
    const now = performance.now();
    if (isMoving) [before, since] = [breaches, now];
    if (now - since > stillMs) throw new Error(`the books are wrong at rest:\n${breaches}`);
    if (now > deadline) throw new Error(`the books are wrong after ${withinMs / 1_000} s:\n${breaches}`);
    await sleep(everyMs);
  }
};
