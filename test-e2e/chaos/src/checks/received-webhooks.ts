import type { Evidence, Finding } from '@tds/audit';
import type { ReceivedWebhook } from '@tds/webhook-receiver';
import type { History } from '../history.ts';

const MOST_ATTEMPTS = 5;
const DELIVERED = `SELECT id FROM deliveries WHERE state = 'delivered'`;

type Loose = Omit<Finding, 'invariant' | 'subject'>;

const findingsOf = (comings: readonly ReceivedWebhook[], isSecretKnown: boolean): Loose[] => {
  const bodies = new Set(comings.map(({ body, event }) => event + body)).size;
  const unverified = comings.filter(({ isVerified }) => !isVerified).length;
  return [
    ...(comings.length <= MOST_ATTEMPTS
      ? []
      : [{ what: 'times that a delivery came', expected: 'five at most', found: String(comings.length) }]),
    ...(bodies === 1 ? [] : [{ what: 'bodies of a delivery', expected: 'one', found: String(bodies) }]),
    ...(unverified === 0 || !isSecretKnown
      ? []
      : [{ what: 'signatures of a delivery', expected: 'right', found: `${unverified} wrong ones` }]),
  ];
};

const accountIn = ({ path }: ReceivedWebhook): string => path.split(/[/?]/)[2] ?? '';

/** I7: what was taken has come, and nothing came more often than five times, with another body or badly signed. */
export const checkWebhooks = async (
  { rows }: Evidence,
  received: readonly ReceivedWebhook[],
  { calls }: Pick<History, 'calls'>,
): Promise<Finding[]> => {
  // Of those whose answer was lost, nobody knows the secret.
  const unknown = new Set(
    calls.filter(({ kind, outcome }) => kind === 'webhook' && outcome !== 'ok').map(({ about }) => about),
  );
  const byId = Map.groupBy(received, ({ deliveryId }) => deliveryId);
  const odd = [...byId].flatMap(([id, comings]) => {
    const isSecretKnown = comings.every((one) => !unknown.has(accountIn(one)));
    const about = { invariant: 'I7', subject: `delivery ${id}` };
    return findingsOf(comings, isSecretKnown).map((loose) => ({ ...about, ...loose }));
  });
  const taken = await rows<{ id: string }>('webhook-dispatcher', DELIVERED);
  const missing = taken.filter(({ id }) => !byId.has(id));
  return [
    ...odd,
    ...missing.map(({ id }) => ({
      invariant: 'I7',
      subject: `delivery ${id}`,
      what: 'a delivery that was taken',
      expected: 'received',
      found: 'nothing',
    })),
  ];
};
