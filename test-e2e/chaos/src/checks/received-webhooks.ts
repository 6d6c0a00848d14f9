import type { Finding } from '@tds/audit';
import type { ReceivedWebhook, WebhookReceiver } from '@tds/simulators/webhooks';
import type { Harness } from '../harness.ts';
import type { History } from '../history.ts';

export const MAX_ATTEMPTS = 5;
/** A message of a chat has no id. */
const DELIVERED = `
  SELECT d.id FROM deliveries AS d LEFT JOIN receivers AS r ON r.id = d.receiver_id
  WHERE d.state = 'delivered' AND coalesce(r.form, 'signed') = 'signed'`;
const ATTEMPTS = `SELECT id, ARRAY(SELECT jsonb_path_query(attempt_log, '$[*].at') #>> '{}') AS times FROM deliveries`;
/** The receiver's clock and that of the database are of one machine. */
const SLACK_MS = 1_000;
/** A process that stands still between its claim and its request may be late by that. */
const LATE_MS = 90_000;

type Loose = Omit<Finding, 'invariant' | 'subject'>;

const findingsOf = (
  comings: readonly ReceivedWebhook[],
  { most, isSecretKnown }: { most: number; isSecretKnown: boolean },
): Loose[] => {
  const bodies = new Set(comings.map(({ body, event }) => event + body)).size;
  const unverified = comings.filter(({ isVerified }) => !isVerified).length;
  return [
    ...(comings.length <= most
      ? []
      : [{ what: 'times that a delivery came', expected: `${most} at most`, found: String(comings.length) }]),
    ...(bodies === 1 ? [] : [{ what: 'bodies of a delivery', expected: 'one', found: String(bodies) }]),
    ...(unverified === 0 || !isSecretKnown
      ? []
      : [{ what: 'signatures of a delivery', expected: 'right', found: `${unverified} wrong ones` }]),
  ];
};

const isOfAttempt = ({ receivedAt }: ReceivedWebhook, times: readonly string[]): boolean =>
  times.some((time) => {
    const sinceMs = Date.parse(receivedAt) - Date.parse(time);
    return sinceMs > -SLACK_MS && sinceMs < LATE_MS;
  });

/** An attempt is logged with the time at which it was made, also when only its lease said that it was lost. */
const checkTimes = async (
  { evidence: { rows }, restores }: Pick<Harness, 'evidence' | 'restores'>,
  received: ReadonlyMap<string, readonly ReceivedWebhook[]>,
): Promise<Finding[]> => {
  // An older copy has lost the attempts since.
  if (restores.has('webhook-dispatcher')) return [];
  const logged = await rows<{ id: string; times: string[] }>('webhook-dispatcher', ATTEMPTS);
  return logged.flatMap(({ id, times }) =>
    (received.get(id) ?? [])
      .filter((coming) => !isOfAttempt(coming, times))
      .map(({ receivedAt }) => ({
        ...{ invariant: 'I7', subject: `delivery ${id}`, what: 'the time of an attempt' },
        ...{ expected: `that of its request, ${receivedAt}`, found: times.join(', ') || 'none' },
      })),
  );
};

const accountIn = ({ path }: ReceivedWebhook): string => path.split(/[/?]/)[2] ?? '';

/**
 * I7: what was taken has come, and nothing came more often than five times, with another body or badly signed. A database that
 * was replaced by an older copy does not know the attempts since, so each such restore allows five more.
 */
export const checkWebhooks = async ({
  evidence,
  history: { calls },
  system,
  restores,
}: Pick<Harness, 'evidence' | 'restores'> & {
  readonly history: Pick<History, 'calls'>;
  readonly system: { readonly receiver: Pick<WebhookReceiver, 'received'> };
}): Promise<Finding[]> => {
  const received = system.receiver.received().filter(({ headers }) => 'x-service-delivery' in headers);
  const most = MAX_ATTEMPTS * (1 + (restores.get('webhook-dispatcher') ?? []).length);
  // If the answer was lost, its secret is unknown.
  const unknown = new Set(
    calls.filter(({ kind, outcome }) => kind === 'webhook' && outcome !== 'ok').map(({ about }) => about),
  );
  const byId = Map.groupBy(received, ({ deliveryId }) => deliveryId);
  const odd = [...byId].flatMap(([id, comings]) => {
    const isSecretKnown = comings.every((one) => !unknown.has(accountIn(one)));
    const about = { invariant: 'I7', subject: `delivery ${id}` };
    return findingsOf(comings, { most, isSecretKnown }).map((loose) => ({ ...about, ...loose }));
  });
  const taken = await evidence.rows<{ id: string }>('webhook-dispatcher', DELIVERED);
  const missing = taken.filter(({ id }) => !byId.has(id));
  return [
    ...odd,
    ...(await checkTimes({ evidence, restores }, byId)),
    ...missing.map(({ id }) => ({
      invariant: 'I7',
      subject: `delivery ${id}`,
      what: 'a delivery that was taken',
      expected: 'received',
      found: 'nothing',
    })),
  ];
};
