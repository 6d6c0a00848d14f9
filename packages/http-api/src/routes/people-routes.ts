import { auditEntry, INVITATION_DAYS, identity, MAX_PEOPLE, person, role, workOfRemoved } from '@tds/contracts';
import { z } from 'zod';
import { emailField, pageAnswer, pageFields, pathId } from '../common-fields.ts';
import { defineRoutes, everyRole, field, okAnswer, onlyOwners } from '../define-route.ts';

const params = { personId: pathId('person', 'person_not_found') };
const MAX_AUDIT_ROWS = 200;
const DEFAULT_AUDIT_ROWS = 50;

const roleText =
  'owner: everything; member: all but people, closing and money, and only their own keys; billing: reads what is used, buys and refunds';
const cap = identity.invitePerson.request.shape.dailyCreditCap;
const capText = 'Credits that all keys and sessions of the person may spend per UTC day; null is no cap';
const optionalCap = field(cap, 'invalid_daily_credit_cap', capText);

export const peopleRoutes = defineRoutes('People', {
  listPeople: {
    method: 'GET',
    path: '/v1/account/people',
    calls: [identity.listPeople],
    access: 'session',
    roles: everyRole,
    summary: 'List the people of the account and its waiting invitations',
    description:
      'People in the order in which they joined, invitations newest first; the latter for owners only.',
    responses: { 200: okAnswer('People', 'PeopleList', identity.listPeople.reply.shape) },
  },

  invitePerson: {
    method: 'POST',
    path: '/v1/account/people',
    calls: [identity.invitePerson],
    access: 'session',
    roles: onlyOwners,
    startsWork: true,
    summary: 'Invite somebody to the account',
    description: `Mails a link and a code, which work for ${INVITATION_DAYS} days; a second invitation of the same address ends the first. An address that wants none answers invitations_stopped. Credits, keys and limits stay those of one account. If the person becomes an owner, each owner is mailed. An account has at most ${MAX_PEOPLE} people and invitations and sends 20 in 24 hours, three of them to one mailbox, which gets six of all free accounts.`,
    body: {
      email: emailField('alex@example.com', 'Who is invited'),
      role: field(role, 'invalid_role', roleText),
      daily_credit_cap: optionalCap,
    },
    responses: { 201: okAnswer('The invitation', 'PersonInvited', identity.invitePerson.reply.shape) },
  },

  changePerson: {
    method: 'PATCH',
    path: '/v1/account/people/{personId}',
    calls: [identity.changePerson],
    access: 'session',
    roles: onlyOwners,
    summary: 'Change the role or the daily cap of a person',
    params,
    description:
      'What is not sent stays. It takes effect within 30 seconds. The keys and connections of a person who becomes billing end, and their jobs and monitors go on. The last owner stays one: last_owner.',
    body: {
      role: field(role.optional(), 'invalid_role', roleText),
      daily_credit_cap: optionalCap,
    },
    responses: { 200: okAnswer('The person', 'PersonChanged', { person }) },
    emptyBodyCode: 'empty_person_update',
  },

  removePerson: {
    method: 'DELETE',
    path: '/v1/account/people/{personId}',
    calls: [identity.removePerson],
    access: 'session',
    roles: everyRole,
    summary: 'Remove a person, leave the account, or withdraw an invitation',
    params,
    description:
      'Only owners remove others. Sessions, keys and connections of the person end at once. Their jobs and monitors end with work=end, as those of a key that is revoked at once (key_revoked), and go on with work=pass_on: paid by the account, under the daily_credit_cap of who removes the person, or of the oldest other owner if the person leaves; of who leaves only an owner passes work on. The person is mailed, and the address may sign up again. The last owner cannot be removed: last_owner. An invitation needs no work.',
    body: {
      work: field(workOfRemoved.optional(), 'invalid_work', 'What becomes of their jobs and monitors'),
    },
    responses: { 200: okAnswer('Who was removed', 'PersonRemoved', identity.removePerson.reply.shape) },
  },

  listAudit: {
    method: 'GET',
    path: '/v1/account/audit',
    calls: [identity.listAudit],
    access: 'session',
    roles: onlyOwners,
    summary: 'List what happened in the account: who, when, from where',
    description: 'Sign-ins, and changes of people, keys and the account, newest first. It is kept for ever.',
    query: pageFields(MAX_AUDIT_ROWS, DEFAULT_AUDIT_ROWS),
    responses: { 200: pageAnswer('The audit list', 'AuditList', { entries: z.array(auditEntry) }) },
  },
});
