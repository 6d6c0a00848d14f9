import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '@tds/contracts';
import { loadSurfaces, storedServiceNames } from '@tds/provisioning';
import {
  askAll,
  type BookCheck,
  type Breach,
  type Evidence,
  findRepeated,
  type Question,
  TRAVEL_SECONDS,
} from './evidence.ts';

type SentEvent = { id: string; published: boolean };
type Message = { message_id: string; reason: string };

const owners: ReadonlySet<string> = new Set(storedServiceNames);

const RECHECK_DELAY_MS = 1_000;

/** Observations are published for ever, also if all work has ended: one that is on its way is no breach. */
const keepRepeated = async (check: () => Promise<Breach[]>): Promise<Breach[]> => {
  const first = await check();
  if (first.length === 0) return [];
  await delay(RECHECK_DELAY_MS);
  return findRepeated(first, await check());
};

const SENT = `
  SELECT id, published_at IS NOT NULL AS published FROM messaging.outbox
  WHERE subject = $1 AND created_at > now() - interval '6 days' AND created_at < now() - $2 * interval '1 second'`;
const HEARD = 'SELECT message_id FROM messaging.inbox WHERE consumer = $1';
const BURIED = `SELECT message_id, reason FROM messaging.dead_letters WHERE source = $1 AND replayed_at IS NULL`;
const UNSENT = `
  SELECT id, subject || ' in the outbox of ' || $2 AS what FROM messaging.outbox
  WHERE published_at IS NULL AND created_at < now() - $1 * interval '1 second' LIMIT 50`;
const UNFINISHED = `
  SELECT id, format('task %s of %s', name, $2::text) AS what, coalesce(last_error, 'not done') AS found FROM messaging.tasks
  WHERE state = 'ready' AND due_at < now() - $1 * interval '1 second' LIMIT 50`;

const compareEvent = async ({ rows, atRest }: Evidence, event: Event, consumer: string): Promise<Breach[]> => {
  const { owner, subject: channel } = event;
  const sentEvents = await rows<SentEvent>(owner, SENT, [channel, atRest ? 0 : TRAVEL_SECONDS]);
  const allIds = new Set((await rows<SentEvent>(owner, SENT, [channel, -TRAVEL_SECONDS])).map(({ id }) => id));
  const appliedIds = (await rows<Message>(consumer, HEARD, [channel])).map((row) => row.message_id);
  const buried = new Map(
    (await rows<Message>(consumer, BURIED, [channel])).map((letter) => [letter.message_id, letter.reason]),
  );
  const applied = new Set(appliedIds);
  const unapplied = sentEvents.filter(({ id }) => !applied.has(id));
  const unsent = (atRest ? appliedIds : []).filter((id) => !allIds.has(id));
  return [
    ...unapplied.map(({ id, published }) => ({
      ...{ subject: `${event.name} ${id}`, what: `${consumer} receives what ${owner} published` },
      ...{ expected: 'applied once', found: buried.get(id) ?? (published ? 'not applied' : 'not published') },
    })),
    ...unsent.map((id) => ({
      ...{ subject: `${event.name} ${id}`, what: `${owner} published what ${consumer} has applied` },
      ...{ expected: 'in its outbox', found: 'not there' },
    })),
  ];
};

const checkEvents = async (evidence: Evidence): Promise<Breach[]> => {
  const breaches: Breach[] = [];
  for (const surface of await loadSurfaces()) {
    const subscriptions: readonly Event[] = surface.subscriptions;
    // A service that does not run here publishes no events.
    for (const event of subscriptions.filter(({ owner }) => owners.has(owner)))
      breaches.push(...(await compareEvent(evidence, event, surface.name)));
  }
  return breaches;
};

export const eventsCheck: BookCheck = {
  invariant: 'I6',
  promise: 'every event is applied exactly once by everyone who subscribes to it',
  check: (evidence) => keepRepeated(() => checkEvents(evidence)),
};

const forEveryService = (question: (service: string) => Question[]): Question[] =>
  storedServiceNames.flatMap(question);

const openWork = (atRest: boolean): Question[] =>
  forEveryService((service) => {
    const values = [atRest ? 0 : 600, service];
    return [
      { service, sql: UNSENT, values, expected: 'published', found: 'waiting' },
      { service, sql: UNFINISHED, values, expected: 'done' },
    ];
  });

/** Nothing waits for ever: every saved event is published, and every saved task is done. */
export const openWorkCheck: BookCheck = {
  invariant: 'I4',
  promise: 'everything that was begun ends by itself',
  check: (evidence) => keepRepeated(() => askAll(evidence, openWork(evidence.atRest))),
};

const LETTERS = `
  SELECT id, format('dead letter of %s in %s', source, $1::text) AS what, reason AS found
  FROM messaging.dead_letters WHERE replayed_at IS NULL ORDER BY id LIMIT 50`;
const TWICE = `
  SELECT payload::text AS id, format('open tasks %s of %s', name, $1::text) AS what, count(*)::text AS found
  FROM messaging.tasks WHERE state = 'ready' GROUP BY name, payload HAVING count(*) > 1 ORDER BY name, 1 LIMIT 50`;

/** Work that the system has given up, and work that it tries more than once at a time: an operator has to look at both. */
export const givenUpCheck: BookCheck = {
  invariant: 'I4',
  promise: 'nothing was given up, and nothing is requested twice at a time',
  check: (evidence) =>
    askAll(
      evidence,
      forEveryService((service) => [
        { service, sql: LETTERS, values: [service], expected: 'none' },
        { service, sql: TWICE, values: [service], expected: 'one' },
      ]),
    ),
};
