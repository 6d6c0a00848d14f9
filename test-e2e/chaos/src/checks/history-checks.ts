import type { Evidence, Finding } from '@tds/audit';
import type { CallRecord, FaultRecord, History } from '../history.ts';

type Seen = Pick<History, 'calls' | 'kept' | 'faults'>;

const missing = (what: string, subject: string, found = 'none'): Finding => ({
  invariant: 'I3',
  what,
  subject,
  expected: 'as its caller was answered',
  found,
});

const ACCOUNTS = `
  SELECT a.id AS account_id, k.id AS key_id, a.email FROM accounts AS a JOIN api_keys AS k ON k.account_id = a.id`;
const LEDGER_ACCOUNTS = 'SELECT account_id FROM accounts';

/** I3: who was given an account and a key has them, and a balance. */
export const checkAccounts = async ({ rows }: Evidence, { kept }: Seen): Promise<Finding[]> => {
  const keys = await rows<{ account_id: string; key_id: string; email: string }>('identity', ACCOUNTS);
  const known = new Set(keys.map((row) => `${row.account_id} ${row.key_id} ${row.email}`));
  const balances = new Set(
    (await rows<{ account_id: string }>('credits-ledger', LEDGER_ACCOUNTS)).map((row) => row.account_id),
  );
  return kept.flatMap((each) => {
    if (each.type !== 'account') return [];
    const { accountId, keyId, email } = each;
    return [
      ...(known.has(`${accountId} ${keyId} ${email}`) ? [] : [missing('account and key', accountId)]),
      ...(balances.has(accountId) ? [] : [missing('account in the ledger', accountId)]),
    ];
  });
};

type Operation = { id: string; account_id: string; video_id: string; state: string; charge: number };
const OPERATIONS = 'SELECT id, account_id, video_id, state, charge FROM operations';

const isOfTranscript = ({ kind }: CallRecord): boolean =>
  !['search', 'list', 'job', 'cancelJob', 'archive', 'webhook', 'monitor', 'begin', 'stop'].includes(kind);

/** I3: a request that was answered as accepted, or a transcript as delivered for a credit, is there. */
export const checkOperations = async ({ rows }: Evidence, { calls }: Seen): Promise<Finding[]> => {
  const operations = await rows<Operation>('transcript-fetcher', OPERATIONS);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const delivered = new Set(
    operations
      .filter(({ state, charge }) => state === 'delivered' && charge > 0)
      .map(({ account_id, video_id }) => `${account_id} ${video_id}`),
  );
  return calls.filter(isOfTranscript).flatMap((call) => {
    const subject = `${call.kind} of ${call.about} by account ${call.accountId} at ${call.at} ms`;
    if (call.status === 202 && call.kind !== 'poll' && !byId.has(String(call.requestId)))
      return acceptedElsewhere(call, operations) ? [] : [missing('accepted request', subject)];
    if (call.charged === 0 || call.status !== 200) return [];
    const isKnown =
      call.kind === 'poll'
        ? (byId.get(call.about)?.charge ?? 0) > 0
        : delivered.has(`${call.accountId} ${call.about}`);
    return isKnown ? [] : [missing('delivery that was paid for', subject)];
  });
};

/** A request may have joined its account's open operation for the same video, under that one's id. */
const acceptedElsewhere = ({ accountId, about }: CallRecord, operations: readonly Operation[]): boolean =>
  operations.some(({ account_id, video_id }) => account_id === accountId && video_id === about);

/** The same selection gives the same bytes for ever. */
export const checkBytes = ({ calls }: Seen): Finding[] => {
  const first = new Map<string, string>();
  return calls.flatMap(({ kind, about, sha256, at }) => {
    if (sha256 === null || !['cold', 'cached', 'search'].includes(kind)) return [];
    const known = first.get(about) ?? sha256;
    first.set(about, known);
    return known === sha256
      ? []
      : [
          {
            invariant: 'I3',
            subject: `${about} at ${at} ms`,
            what: 'bytes of a file',
            expected: known,
            found: sha256,
          },
        ];
  });
};

const isRefusal = ({ status, outcome }: CallRecord): boolean => outcome !== 'ok' && status !== 429;

/** Identity renews the freshness of keys every five seconds, for fifteen: without it or its database they hold for ten. */
const FRESH_MS = 9_000;
const stopsRenewal = ({ target }: FaultRecord): boolean => /^(identity|postgres)/.test(target);
/** Sooner than that after such a fault, the next one counts as its continuation. */
const FRESH_AGAIN_MS = 8_000;

/** When the renewal was first interrupted, of faults that follow one another closely. */
const troubleSince = (faults: readonly FaultRecord[], fault: FaultRecord): number => {
  const before = faults.filter((each) => stopsRenewal(each) && each.at < fault.at).at(-1);
  return before && fault.at - before.until < FRESH_AGAIN_MS ? troubleSince(faults, before) : fault.at;
};

/** The time of a fault in which cached reads must be answered. */
const protectedUntil = (faults: readonly FaultRecord[], fault: FaultRecord): number =>
  stopsRenewal(fault) ? Math.min(fault.until, troubleSince(faults, fault) + FRESH_MS) : fault.until;

/** For so long a gateway goes on without a Redis that was too slow for it. */
const WITHOUT_REDIS_MS = 1_500;
const hadRedis = ({ at, ms }: CallRecord, lateRedis: History['lateRedis']): boolean =>
  !lateRedis.some((late) => late.at <= at + ms && at <= late.at + late.ms + WITHOUT_REDIS_MS);

/** While others are dead or frozen, gateway and Redis go on to answer what they know. */
export const checkCachedReads = ({
  calls,
  faults,
  lateRedis,
}: Pick<History, 'calls' | 'faults' | 'lateRedis'>): Finding[] => {
  const hot = calls.filter(
    (call) => call.kind === 'cached' && call.hot && isRefusal(call) && hadRedis(call, lateRedis),
  );
  return faults
    .filter(({ cachedReads }) => cachedReads)
    .flatMap((fault) =>
      hot
        .filter((call) => call.at >= fault.at && call.at + call.ms <= protectedUntil(faults, fault))
        .map((call) => ({
          invariant: 'cached reads',
          subject: `${call.about} at ${call.at} ms, during ${fault.fault} ${fault.target}`,
          what: 'a cached read while gateway and Redis live',
          expected: '200',
          found: `${call.status ?? 'no answer'} ${call.code ?? ''}`.trim(),
        })),
    );
};

const RECOVERY_BOUND_MS = 30_000;

export const checkRecoveries = ({ faults }: Seen): Finding[] =>
  faults
    .filter(({ recoveredMs }) => recoveredMs === null)
    .map(({ fault, target, at }) => ({
      invariant: 'I4',
      subject: `${fault} ${target} at ${at} ms`,
      what: 'recovery by itself',
      expected: `within ${RECOVERY_BOUND_MS / 1_000} s`,
      found: 'none',
    }));
