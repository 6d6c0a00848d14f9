import type { Answer, AuditEntry, Body, Invitation, Person } from '../api.ts';
import type { Connection, RequestOptions } from '../connection.ts';
import { createList, type Pages } from '../pages.ts';

const path = '/v1/account/people';
const atPerson = (id: string) => `${path}/${encodeURIComponent(id)}`;

export const people = (connection: Connection) => ({
  /** Who is in the account, and the invitations that wait. */
  list: (options: RequestOptions = {}): Promise<Answer<'listPeople'>> => connection.json({ ...options, path }),

  /** Mails a code that works for a week; a second invitation of an address renews the first. */
  invite: async (body: Body<'invitePerson'>, options: RequestOptions = {}): Promise<Invitation> =>
    (await connection.json<Answer<'invitePerson', 201>>({ ...options, method: 'POST', path, body })).invitation,

  update: async (id: string, body: Body<'changePerson'>, options: RequestOptions = {}): Promise<Person> =>
    (
      await connection.json<Answer<'changePerson'>>({
        ...options,
        ...{ method: 'PATCH', path: atPerson(id), body },
      })
    ).person,

  /** Removes a person, whose work ends or is passed on, or withdraws an invitation. */
  remove: async (
    id: string,
    body: Body<'removePerson'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'removePerson'>['removed']> =>
    (
      await connection.json<Answer<'removePerson'>>({
        ...options,
        ...{ method: 'DELETE', path: atPerson(id), body },
      })
    ).removed,

  /** What happened in the account, newest first. */
  audit: (options: RequestOptions = {}): Pages<AuditEntry, Answer<'listAudit'>> =>
    createList(connection, '/v1/account/audit', 'entries', options),
});
