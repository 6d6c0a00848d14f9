import type { BookCheck } from './check.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

type Loose = Omit<Finding, 'invariant'>;
type Round = {
  ref: string;
  job_id: string;
  state: string;
  job_status: string;
  is_closed: boolean;
  fetched: number;
  in_hand: number;
};
type Held = { ref: string; is_open: boolean; charged: number };
type Subject = { id: string; found: string };

const PAGE = 1_000;

/** With what the job's rows say of each reservation: what was charged to it, and what may have been by now. */
const ROUNDS = `
  SELECT o.ref, o.job_id, o.state, j.status AS job_status, j.closed_at IS NOT NULL AS is_closed,
    (SELECT coalesce(sum(r.credits_charged), 0)::int FROM job_rows AS r
     WHERE r.job_id = o.job_id AND r.round = o.round) AS fetched,
    (SELECT count(*)::int FROM job_rows AS r
     WHERE r.job_id = o.job_id AND r.round = o.round AND r.status = 'processing') AS in_hand
  FROM job_rounds AS o JOIN jobs AS j ON j.id = o.job_id WHERE o.ref > $1 ORDER BY o.ref LIMIT ${PAGE}`;
const KNOWN = 'SELECT ref FROM job_rounds WHERE ref = ANY ($1)';
const HELD = `
  SELECT r.ref, r.resolved_at IS NULL AS is_open, bit_count(p.charged)::int AS charged
  FROM reservation_parts AS p JOIN reservations AS r ON r.ref = p.ref WHERE p.ref = ANY ($1)`;
/** What was given back since is nobody's any more; closed accounts are given nothing back. */
const JOB_REFS = `
  SELECT p.ref FROM reservation_parts AS p
  JOIN reservations AS r ON r.ref = p.ref JOIN accounts AS a ON a.account_id = r.account_id
  WHERE p.ref > $1 AND r.reason = 'job' AND (r.resolved_at IS NULL OR p.credits_charged > 0 AND a.status <> 'closed'
    AND NOT EXISTS (
      SELECT FROM entries AS e
      WHERE e.account_id = r.account_id AND e.kind = 'grant' AND e.ref = 'refund:' || r.ref AND e.reserved_delta = 0
    ))
  ORDER BY p.ref LIMIT ${PAGE}`;
const MISPRICED_ROWS = `
  SELECT job_id || ' ' || position AS id, status || ' for ' || credits_charged AS found FROM job_rows
  WHERE credits_charged <> CASE WHEN status = 'fetched' THEN 1 ELSE 0 END LIMIT 50`;
/** What has ended has no row to do; what is at rest has ended, or is paused. */
const UNFINISHED = `
  SELECT j.id::text, j.status || ', ' || count(r.*) || ' rows to do' AS found
  FROM jobs AS j LEFT JOIN job_rows AS r ON r.job_id = j.id AND r.status IN ('pending', 'processing')
  WHERE CASE WHEN $1 THEN j.status <> 'paused' ELSE j.status IN ('completed', 'failed') OR j.closed_at IS NOT NULL END
  GROUP BY j.id HAVING count(r.*) > 0 OR j.status NOT IN ('completed', 'failed', 'cancelled')
    OR j.status = 'cancelled' AND j.closed_at IS NULL
  LIMIT 50`;

const hasEnded = ({ job_status: status, is_closed: isClosed }: Round): boolean =>
  ['completed', 'failed'].includes(status) || isClosed;

/** A reservation is settled right before its rows are saved: while those are under way, it may be ahead of them. */
const compare = (round: Round, held: Held | undefined): Loose[] => {
  const { ref, job_id: jobId, fetched, in_hand: inHand } = round;
  const subject = `reservation ${ref} of job ${jobId}`;
  const charged = held?.charged ?? 0;
  const findings: Loose[] = [];
  if (charged < fetched || charged > fetched + inHand) {
    const what = 'parts charged for its fetched rows';
    findings.push({ subject, what, expected: String(fetched), found: String(charged) });
  }
  if (held?.is_open && hasEnded(round)) {
    const what = 'what an ended job holds';
    findings.push({ subject, what, expected: 'nothing', found: 'an open reservation' });
  }
  return findings;
};

async function checkRounds({ rows }: Evidence): Promise<Loose[]> {
  const findings: Loose[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Round[] = await rows<Round>('bulk-orchestrator', ROUNDS, [after]);
    const held = await rows<Held>('credits-ledger', HELD, [page.map(({ ref }) => ref)]);
    const byRef = new Map(held.map((one) => [one.ref, one]));
    findings.push(...page.flatMap((round) => compare(round, byRef.get(round.ref))));
    after = page.length === PAGE ? page.at(-1)?.ref : undefined;
  }
  return findings;
}

/** Every credit that is held or was charged for a job belongs to one. */
async function checkOrphans({ rows }: Evidence): Promise<Loose[]> {
  const findings: Loose[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { ref: string }[] = await rows<{ ref: string }>('credits-ledger', JOB_REFS, [after]);
    const refs = page.map(({ ref }) => ref);
    const known = await rows<{ ref: string }>('bulk-orchestrator', KNOWN, [refs]);
    const there = new Set(known.map(({ ref }) => ref));
    for (const ref of refs.filter((each) => !there.has(each)))
      findings.push({ subject: `reservation ${ref}`, what: 'its job', expected: 'one', found: 'none' });
    after = page.length === PAGE ? refs.at(-1) : undefined;
  }
  return findings;
}

const stray = async (
  { rows }: Evidence,
  sql: string,
  values: unknown[],
  say: (id: string) => Omit<Loose, 'found'>,
): Promise<Loose[]> => {
  const found = await rows<Subject>('bulk-orchestrator', sql, values);
  return found.map(({ id, found: text }) => ({ ...say(id), found: text }));
};

export const jobsCheck: BookCheck = {
  invariant: 'I2',
  promise: 'a job is charged for its fetched rows, and holds nothing when it has ended',
  look: async (evidence) => [
    ...(await checkRounds(evidence)),
    ...(await checkOrphans(evidence)),
    ...(await stray(evidence, MISPRICED_ROWS, [], (id) => ({
      ...{ subject: `row ${id}`, what: 'credits of a row of a job', expected: '1 if fetched, else none' },
    }))),
    ...(await stray(evidence, UNFINISHED, [evidence.atRest], (id) => ({
      ...{ subject: `job ${id}`, what: 'a job that has ended', expected: 'no row to do, and closed' },
    }))),
  ],
};
