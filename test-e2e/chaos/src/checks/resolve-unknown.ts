import type { Harness } from '../harness.ts';
import type { CallRecord } from '../history.ts';

const ACCOUNTS = 'SELECT email FROM accounts';
const OPERATIONS = `
  SELECT account_id, video_id, state, charge, (extract(epoch FROM created_at) * 1000)::float8 AS created_ms FROM operations`;

const SEARCHES = `
  SELECT account_id, state, (state = 'delivered')::int AS charge, (extract(epoch FROM created_at) * 1000)::float8 AS created_ms
  FROM searches`;

type Begun = { account_id: string; state: string; charge: number; created_ms: number };
type Operation = Begun & { video_id: string };

/** Clocks of this process and of Postgres are the same machine's. */
const SLACK_MS = 50;

/** What the databases know of everything that was begun. */
type Known = {
  readonly operations: readonly Operation[];
  readonly searches: readonly Begun[];
  readonly emails: ReadonlySet<string>;
};

/** What was begun while the call was under way; `startedAtMs` is when the run began. */
const begunDuring = <T extends Begun>(call: CallRecord, begun: readonly T[], startedAtMs: number) => {
  const from = startedAtMs + call.at - SLACK_MS;
  const until = from + call.ms + 2 * SLACK_MS;
  return begun.find(({ created_ms }) => created_ms >= from && created_ms <= until);
};

const say = ({ state, charge }: Begun): string => `${state}, ${charge} charged`;

const became = (call: CallRecord, { operations, searches, emails }: Known, startedAtMs: number): string => {
  if (call.kind === 'verify') return emails.has(call.about) ? 'signed up' : 'nothing';
  if (call.kind === 'search') {
    const mine = searches.filter(({ account_id }) => account_id === call.accountId);
    const search = begunDuring(call, mine, startedAtMs);
    return search ? say(search) : 'nothing';
  }
  if (call.kind !== 'cold' && call.kind !== 'special') return 'nothing to become';
  const mine = operations.filter(
    ({ account_id, video_id }) => account_id === call.accountId && video_id === call.about,
  );
  const operation = begunDuring(call, mine, startedAtMs);
  if (operation) return say(operation);
  return mine.length > 0 ? 'joined another operation or read the cache' : 'nothing';
};

const readKnown = async ({ rows }: Harness['evidence']): Promise<Known> => ({
  operations: await rows<Operation>('transcript-fetcher', OPERATIONS),
  searches: await rows<Begun>('search', SEARCHES),
  emails: new Set((await rows<{ email: string }>('identity', ACCOUNTS)).map(({ email }) => email)),
});

/** Reads back what became of every call without an answer, and polls whatever was accepted to its end. */
export const resolveUnknown = async (harness: Harness): Promise<void> => {
  const { history, evidence, traffic } = harness;
  for (const pending of [...traffic.pending]) await traffic.poll(pending);
  const known = await readKnown(evidence);
  const startedAtMs = Date.now() - history.now();
  for (const call of history.calls.filter(({ outcome }) => outcome === 'unknown')) {
    const { kind, about, requestId } = call;
    history.add({ type: 'resolved', kind, about, requestId, became: became(call, known, startedAtMs) });
  }
};
