import type { Finding } from '@tds/audit';
import type { CaughtMail, Harness, MailedPerson } from '../harness.ts';

/** New videos, each by its first one, which a mail of them names. One that a restore has emitted again is the same. */
const EVENTS = `
  SELECT payload #>> '{videos,0,video_id}' AS video, (extract(epoch FROM min(created_at)) * 1000)::float8 AS "createdAt"
  FROM messaging.outbox WHERE subject LIKE '%.new-videos-found.%' AND payload ->> 'monitorId' = $1 GROUP BY 1`;
/** What is mailed to a person, at once or in the next daily mail. */
const ITEMS = `
  SELECT person_id::text AS "personId", notice #>> '{videos,0,video_id}' AS video, mailed_at IS NOT NULL AS "isAtOnce"
  FROM digest_items WHERE notice ->> 'monitorId' = $1`;

/** A person is mailed twenty of a kind at once on a day, and the next daily mail has room for ten in any case. */
const MAX_KEPT = 30;

type Event = { readonly video: string; readonly createdAt: number };
type Item = { readonly personId: string; readonly video: string; readonly isAtOnce: boolean };

const toFinding = ({ email }: MailedPerson, what: string, expected: string, found: string): Finding => ({
  ...{ invariant: 'I6', subject: `mails of a monitor to ${email}`, what, expected, found },
});

/** A person who has refused, has left or has never chosen is not mailed what happens since; they may have been mailed before. */
const checkRefusal = (
  person: MailedPerson,
  events: readonly Event[],
  mails: readonly CaughtMail[],
): Finding[] => {
  const since = person.from === null ? 0 : (person.until ?? Number.POSITIVE_INFINITY);
  const refused = events.filter(({ createdAt }) => createdAt > since);
  return mails
    .filter(({ receivedAt }) => Date.parse(receivedAt) > since)
    .filter(({ text }) => refused.some(({ video }) => text.includes(video)))
    .map(({ receivedAt }) => toFinding(person, 'a mail that was refused', 'none', `one at ${receivedAt}`));
};

/** A person who has chosen mails, and goes on to, has each event; and a mail of each that is mailed at once has come. */
const checkChoice = (
  person: MailedPerson,
  events: readonly Event[],
  items: readonly Item[],
  mails: readonly CaughtMail[],
): Finding[] => {
  const mine = items.filter(({ personId }) => personId === person.personId);
  const { from, until } = person;
  const wanted = events.filter(({ createdAt }) => from !== null && until === null && createdAt > from);
  const kept = wanted.filter(({ video }) => mine.some((item) => item.video === video)).length;
  const least = Math.min(wanted.length, MAX_KEPT);
  const unsent = mine.filter(
    ({ video, isAtOnce }) => isAtOnce && !mails.some(({ text }) => text.includes(video)),
  );
  return [
    ...(kept >= least ? [] : [toFinding(person, 'events that are mailed', `${least} at least`, `${kept}`)]),
    ...unsent.map(({ video }) => toFinding(person, `a mail of ${video}`, 'received', 'none')),
  ];
};

/** I6, of mails: who chose them gets each event, once at least, and nobody else does. */
export const checkMails = async ({
  evidence: { rows },
  mails: { monitorId, people, caught },
}: Pick<Harness, 'mails'> & { readonly evidence: Pick<Harness['evidence'], 'rows'> }): Promise<Finding[]> => {
  const events = await rows<Event>('monitor-scheduler', EVENTS, [monitorId]);
  const items = await rows<Item>('identity', ITEMS, [monitorId]);
  return people.flatMap((person) => {
    const mails = [...caught.values()].filter(({ email }) => email === person.email);
    return [...checkRefusal(person, events, mails), ...checkChoice(person, events, items, mails)];
  });
};
