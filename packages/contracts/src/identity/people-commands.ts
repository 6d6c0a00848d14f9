import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { count, namedObject, time, uuid } from '../ids.ts';
import { chosenCap, role, secretDigest } from '../principal.ts';
import { changedBy } from './key-commands.ts';
import { codeErrors, codeGuess, newSession, openedSession } from './sign-in-commands.ts';

/** People and waiting invitations of an account. */
export const MAX_PEOPLE = 50;

export const INVITATION_DAYS = 7;

const email = z.string().max(512);
const dailyCreditCap = chosenCap
  .nullable()
  .describe('Credits that all keys and sessions of the person may spend per UTC day; null is no cap');
const place = { id: uuid, email: z.string(), role, daily_credit_cap: dailyCreditCap };

/** A person of an account, in the API and on the bus. */
export const person = namedObject('Person', { ...place, joined_at: time });
export type PersonView = z.infer<typeof person>;

/** An invitation that waits for its code. */
export const invitation = namedObject('Invitation', {
  ...place,
  invited_by: uuid.describe('The person who invited'),
  created_at: time,
  expires_at: time,
});
export type InvitationView = z.infer<typeof invitation>;

/** What becomes of the jobs and monitors of a removed person. */
export const workOfRemoved = z.enum(['end', 'pass_on']);

/** One line of the audit list. */
export const auditEntry = namedObject('AuditEntry', {
  id: z.string().describe('Its number'),
  at: time,
  action: z.string().describe('What happened, such as key-created or person-invited'),
  actor: z
    .string()
    .describe('holder: a person of the account; else operator, billing, app, service or restore'),
  person_id: uuid.nullable().describe('The person who acted'),
  acting_key_id: uuid.nullable().describe('The key that the person used; null for a session'),
  key_id: uuid.nullable().describe('The key that changed'),
  client_address: z.string().nullable().describe('Where the request came from'),
  detail: z.string().nullable(),
});

/** A gateway of the release before may send a key, which never changes people. */
const peopleErrors = ['role_required', 'account_closed', 'session_required'] as const;
const change = { accountId: uuid, by: changedBy };

export const peopleCommands = commands({
  /** The people of an account, those who joined first at first, and, if `personId` is an owner, its waiting invitations. */
  listPeople: {
    request: z.object({ accountId: uuid, personId: uuid.optional() }),
    reply: z.object({ people: z.array(person), invitations: z.array(invitation) }),
  },

  /** Mails an invitation. A second one to the same address ends the first. */
  invitePerson: {
    request: z.object({ ...change, email, role, dailyCreditCap: dailyCreditCap.optional() }),
    reply: z.object({ invitation }),
    errors: [
      'invalid_email',
      'disposable_email',
      'already_in_account',
      'invitations_stopped',
      'invitation_limit',
      ...peopleErrors,
    ],
  },

  /** Changes only the given fields. */
  changePerson: {
    request: z.object({
      ...change,
      personId: uuid,
      role: role.optional(),
      dailyCreditCap: dailyCreditCap.optional(),
    }),
    reply: z.object({ person }),
    errors: ['person_not_found', 'last_owner', ...peopleErrors],
  },

  /** Removes a person, or ends an invitation. A person may leave without being an owner. */
  removePerson: {
    request: z.object({ ...change, personId: uuid, work: workOfRemoved.optional() }),
    reply: z.object({ removed: z.object({ id: uuid, email: z.string() }) }),
    errors: ['person_not_found', 'last_owner', 'invalid_work', ...peopleErrors],
  },

  /** Trades the code of an invitation for a session of a new person. An address that has an account must be signed in already. */
  acceptInvitation: {
    request: z.object({
      invitationId: uuid,
      ...codeGuess,
      /** Of the session of the browser, which ends. */
      formerSessionDigest: secretDigest.optional(),
    }),
    reply: z.object(openedSession),
    errors: [...codeErrors, 'account_closed', 'sign_in_required'],
  },

  /** Ends the session and opens another one, in an account in which its address is a person, too. */
  switchAccount: {
    request: z.object({
      accountId: uuid,
      sessionDigest: secretDigest,
      clientAddress: z.string(),
      toAccountId: uuid,
      newSessionDigest: secretDigest,
    }),
    reply: z.object(newSession),
    errors: ['session_required', 'sign_in_required', 'account_not_found'],
  },

  /** What happened in an account, newest first. */
  listAudit: {
    request: z.object({ accountId: uuid, limit: count, offset: count }),
    reply: z.object({ entries: z.array(auditEntry), total: count }),
  },
});
