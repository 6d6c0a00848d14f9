import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '@tds/contracts';
import { loadServices, storedServiceNames } from '@tds/local';
import type { BookCheck } from './check.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, inBoth } from './finding.ts';

type Loose = Omit<Finding, 'invariant'>;
type Sent = { id: string; published: boolean };

const owners: ReadonlySet<string> = new Set(storedServiceNames);

/** A message that is younger may still be on its way. */
const TRAVEL_SECONDS = 60;

const LOOK_AGAIN_MS = 1_000;

/** Observations are published for ever, also if all work has ended: one that is on its way is no breach. */
const whatStays = async (look: () => Promise<Loose[]>): Promise<Loose[]> => {
  const first = await look();
  if (first.length === 0) return [];
  await delay(LOOK_AGAIN_MS);
  return inBoth(first, await look());
};

const SENT = `
  SELECT id, published_at IS NOT NULL AS published FROM messaging.outbox
  WHERE subject = $1 AND created_at > now() - interval '6 days' AND created_at < now() - $2 * interval '1 second'`;
const HEARD = 'SELECT message_id FROM messaging.inbox WHERE consumer = $1';
const BURIED = `SELECT message_id, reason FROM messaging.dead_letters WHERE source = $1 AND replayed_at IS NULL`;
const UNSENT = `
  SELECT id, subject FROM messaging.outbox
  WHERE published_at IS NULL AND created_at < now() - $1 * interval '1 second' LIMIT 50`;
const UNFINISHED = `
  SELECT id, name, attempts, last_error FROM messaging.tasks
  WHERE state = 'ready' AND due_at < now() - $1 * interval '1 second' LIMIT 50`;

const compareEvent = async ({ rows, atRest }: Evidence, event: Event, hearer: string): Promise<Loose[]> => {
  const grace = atRest ? 0 : TRAVEL_SECONDS;
  const sent = await rows<Sent>(event.owner, SENT, [event.subject, grace]);
  const all = new Set(
    (await rows<Sent>(event.owner, SENT, [event.subject, -TRAVEL_SECONDS])).map(({ id }) => id),
  );
  const heard = (await rows<{ message_id: string }>(hearer, HEARD, [event.subject])).map(
    (row) => row.message_id,
  );
  const buried = await rows<{ message_id: string; reason: string }>(hearer, BURIED, [event.subject]);
  const known = new Set(heard);
  const subject = (id: string) => `${event.name} ${id}`;
  return [
    ...sent
      .filter(({ id }) => !known.has(id))
      .map(({ id, published }) => ({
        subject: subject(id),
        what: `${hearer} receives what ${event.owner} published`,
        expected: 'applied once',
        found:
          buried.find((letter) => letter.message_id === id)?.reason ??
          (published ? 'not applied' : 'not published'),
      })),
    ...(atRest ? heard : [])
      .filter((id) => !all.has(id))
      .map((id) => ({
        subject: subject(id),
        what: `${event.owner} published what ${hearer} has applied`,
        expected: 'in its outbox',
        found: 'not there',
      })),
  ];
};

const lookAtEvents = async (evidence: Evidence): Promise<Loose[]> => {
  const findings: Loose[] = [];
  for (const { surface } of await loadServices()) {
    const subscriptions: readonly Event[] = surface.subscriptions;
    // A service that does not run here publishes no events.
    for (const event of subscriptions.filter(({ owner }) => owners.has(owner)))
      findings.push(...(await compareEvent(evidence, event, surface.name)));
  }
  return findings;
};

export const eventsCheck: BookCheck = {
  invariant: 'I6',
  promise: 'every event is applied exactly once by everyone who subscribes to it',
  look: (evidence) => whatStays(() => lookAtEvents(evidence)),
};

const lookAtOpenWork = async ({ rows, atRest }: Evidence): Promise<Loose[]> => {
  const findings: Loose[] = [];
  const grace = [atRest ? 0 : 600];
  for (const service of storedServiceNames) {
    for (const { id, subject } of await rows<{ id: string; subject: string }>(service, UNSENT, grace))
      findings.push({
        subject: id,
        what: `${subject} in the outbox of ${service}`,
        expected: 'published',
        found: 'waiting',
      });
    for (const task of await rows<{ id: string; name: string; last_error: string | null }>(
      service,
      UNFINISHED,
      grace,
    ))
      findings.push({
        subject: task.id,
        what: `task ${task.name} of ${service}`,
        expected: 'done',
        found: task.last_error ?? 'not done',
      });
  }
  return findings;
};

/** Nothing waits for ever: every saved event is published, and every saved task is done. */
export const openWorkCheck: BookCheck = {
  invariant: 'I4',
  promise: 'everything that was begun ends by itself',
  look: (evidence) => whatStays(() => lookAtOpenWork(evidence)),
};
