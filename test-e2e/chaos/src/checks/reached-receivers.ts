import type { Finding } from '@tds/audit';
import type { ReceivedWebhook, WebhookReceiver } from '@tds/simulators/webhooks';
import type { Harness, LoadReceiver } from '../harness.ts';
import { MAX_ATTEMPTS } from './received-webhooks.ts';

/** New videos have an id of their own, as in the books' check of webhooks. */
const EVENTS = `
  SELECT coalesce(payload ->> 'newVideosId', id::text) AS id, payload ->> 'accountId' AS "accountId",
    substring(subject FROM '\\.(job-completed|job-failed|new-videos-found)\\.') AS name,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(payload -> 'receiverIds', '[]'))) AS "receiverIds"
  FROM messaging.outbox
  WHERE payload ->> 'accountId' = ANY ($1) AND subject ~ '\\.(job-completed|job-failed|new-videos-found)\\.'`;
const DELIVERIES = `
  SELECT event_id::text AS "eventId", receiver_id::text AS "receiverId", state, body
  FROM deliveries WHERE receiver_id = ANY ($1::uuid[])`;

const kindOf = {
  'job-completed': 'job.completed',
  'job-failed': 'job.failed',
  'new-videos-found': 'channel.new_videos',
} as const;

type Event = {
  readonly id: string;
  readonly accountId: string;
  readonly name: keyof typeof kindOf;
  readonly receiverIds: readonly string[];
};
type Delivery = {
  readonly eventId: string;
  readonly receiverId: string;
  readonly state: string;
  readonly body: string;
};

/** Whether a receiver has to hear of an event: what names receivers is theirs alone. */
const isFor = ({ id, accountId, events, namedOnly }: LoadReceiver, event: Event): boolean =>
  event.accountId === accountId &&
  events.includes(kindOf[event.name]) &&
  (event.receiverIds.length > 0 ? event.receiverIds.includes(id) : !namedOnly);

const toFinding = ({ id, form }: LoadReceiver, what: string, expected: string, found: string): Finding => ({
  ...{ invariant: 'I7', subject: `receiver ${id} of the form ${form}`, what, expected, found },
});

/** Each event has a delivery to each receiver that it is for, which was taken, and none to another one. */
const checkEvents = (
  receiver: LoadReceiver,
  events: readonly Event[],
  deliveries: readonly Delivery[],
): Finding[] => {
  const byEvent = new Map(deliveries.map((delivery) => [delivery.eventId, delivery]));
  return events.flatMap((event) => {
    const state = byEvent.get(event.id)?.state ?? 'none';
    const expected = isFor(receiver, event) ? 'delivered' : 'none';
    return state === expected
      ? []
      : [toFinding(receiver, `delivery of ${event.name} ${event.id}`, expected, state)];
  });
};

/** Chats get no id of a delivery, so messages are compared by their bodies: nothing else came, nothing too often, and what was taken came. */
const checkMessages = (
  receiver: LoadReceiver,
  came: readonly ReceivedWebhook[],
  deliveries: readonly Delivery[],
  most: number,
): Finding[] => {
  const [times, planned] = [Map.groupBy(came, ({ body }) => body), Map.groupBy(deliveries, ({ body }) => body)];
  const odd = [...times].flatMap(([body, { length }]) => {
    const bound = most * (planned.get(body)?.length ?? 0);
    return length <= bound
      ? []
      : [toFinding(receiver, 'times that a message came', `${bound} at most`, `${length}`)];
  });
  const missing = deliveries.filter(({ state, body }) => state === 'delivered' && !times.has(body));
  return [
    ...odd,
    ...missing.map(({ eventId }) => toFinding(receiver, `message of ${eventId}`, 'received', 'none')),
  ];
};

/**
 * I7, of receivers: each hears of each event that it has chosen, of its account alone, and one that wants to be named only of what names it.
 * Bodies and signatures of the form `signed` are those of webhooks (`received-webhooks.ts`).
 */
export const checkReceivers = async ({
  evidence: { rows },
  system: { receiver: server },
  receivers,
  restores,
}: {
  readonly evidence: Pick<Harness['evidence'], 'rows'>;
  readonly system: { readonly receiver: Pick<WebhookReceiver, 'received'> };
  readonly receivers: readonly LoadReceiver[];
  readonly restores: Harness['restores'];
}): Promise<Finding[]> => {
  const accountIds = [...new Set(receivers.map(({ accountId }) => accountId))];
  const events = [
    ...(await rows<Event>('bulk-orchestrator', EVENTS, [accountIds])),
    ...(await rows<Event>('monitor-scheduler', EVENTS, [accountIds])),
  ];
  const stored = await rows<Delivery>('webhook-dispatcher', DELIVERIES, [receivers.map(({ id }) => id)]);
  const byReceiver = Map.groupBy(stored, ({ receiverId }) => receiverId);
  const byPath = Map.groupBy(server.received(), ({ path }) => path);
  // A database that was replaced by an older copy does not know the attempts since.
  const most = MAX_ATTEMPTS * (1 + (restores.get('webhook-dispatcher') ?? []).length);
  return receivers.flatMap((receiver) => {
    const deliveries = byReceiver.get(receiver.id) ?? [];
    const came = byPath.get(receiver.path) ?? [];
    return [...checkEvents(receiver, events, deliveries), ...checkMessages(receiver, came, deliveries, most)];
  });
};
