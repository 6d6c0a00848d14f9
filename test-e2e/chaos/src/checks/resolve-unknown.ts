import type { Harness } from '../harness.ts';
import type { CallRecord } from '../history.ts';

const ACCOUNTS = 'SELECT email FROM accounts';
const OPERATIONS = `
  SELECT account_id, video_id, state, charge, (extract(epoch FROM created_at) * 1000)::float8 AS created_ms FROM operations`;

type Operation = { account_id: string; video_id: string; state: string; charge: number; created_ms: number };

/** Clocks of this process and of Postgres are the same machine's. */
const SLACK_MS = 50;

const became = (
  call: CallRecord,
  operations: readonly Operation[],
  emails: ReadonlySet<string>,
  startedAtMs: number,
): string => {
  if (call.kind === 'verify') return emails.has(call.about) ? 'signed up' : 'nothing';
  if (call.kind !== 'cold' && call.kind !== 'special') return 'nothing to become';
  const from = startedAtMs + call.at - SLACK_MS;
  const mine = operations.filter(
    ({ account_id, video_id }) => account_id === call.accountId && video_id === call.about,
  );
  const during = mine.find(
    ({ created_ms }) => created_ms >= from && created_ms <= from + call.ms + 2 * SLACK_MS,
  );
  if (during) return `${during.state}, ${during.charge} charged`;
  return mine.length > 0 ? 'joined another operation or read the cache' : 'nothing';
};

/** Reads back what became of every call without an answer, and polls whatever was accepted to its end. */
export const resolveUnknown = async (harness: Harness): Promise<void> => {
  const { history, evidence, traffic } = harness;
  for (const pending of [...traffic.pending]) await traffic.poll(pending);
  const operations = await evidence.rows<Operation>('transcript-fetcher', OPERATIONS);
  const emails = new Set(
    (await evidence.rows<{ email: string }>('identity', ACCOUNTS)).map(({ email }) => email),
  );
  const startedAtMs = Date.now() - history.now();
  for (const call of history.calls.filter(({ outcome }) => outcome === 'unknown')) {
    const { kind, about, requestId } = call;
    history.add({
      type: 'resolved',
      kind,
      about,
      requestId,
      became: became(call, operations, emails, startedAtMs),
    });
  }
};
