import { z } from 'zod';
import { accountName } from '../account-name.ts';
import { commands } from '../contract/define-contract.ts';
import { count, namedObject, time, uuid } from '../ids.ts';
import { accountStatus, frozenReason, personCap, role, secretDigest, tier } from '../principal.ts';
import { changedBy } from './key-commands.ts';
import { shownMailChoices } from './mail-commands.ts';

/** An account, in the API and on the bus. */
const account = namedObject('AccountProfile', {
  id: uuid,
  email: z.string(),
  name: z
    .string()
    .nullable()
    .default(null)
    .describe('By which it calls itself in what it hands on; null: it says nothing of itself'),
  status: accountStatus,
  frozen_reason: frozenReason.nullable().describe('Why a frozen account is frozen; null for every other'),
  tier,
  created_at: z.iso.datetime(),
});

export const accountCommands = commands({
  /** An account, and the key of the request. */
  getAccount: {
    request: z.object({
      ...{ accountId: uuid, keyId: uuid.nullable(), personId: uuid.optional() },
      /** One that an invitation has opened hears of no other accounts of its address. */
      sessionDigest: secretDigest.optional(),
    }),
    reply: z.object({
      /** Its address is that of its first person, by which strangers pay for it. */
      account,
      /** Of its oldest owner, by which people call it, and which `closeAccount` asks for. */
      ownerEmail: z.string().optional(),
      person: namedObject('OwnPerson', {
        ...{ id: uuid, email: z.string(), role },
        daily_credit_cap: personCap.describe('For all keys and sessions of the person; null is no cap'),
      })
        .optional()
        .describe('The person of the credential'),
      accounts: z
        .array(namedObject('OwnAccount', { id: uuid, email: z.string().describe('That of the account'), role }))
        .optional()
        .describe('Of a session: the accounts in which its address is a person, if there are several'),
      mail: shownMailChoices,
      keys: namedObject('KeySlots', {
        live: count,
        limit: count,
        current: z
          .object({ id: uuid, name: z.string(), prefix: z.string() })
          .nullable()
          .describe('The key that asked; null for a session'),
      }),
    }),
  },

  /** Names an account, for an owner's session; null takes the name away. */
  nameAccount: {
    request: z.object({ accountId: uuid, by: changedBy, name: accountName.nullable() }),
    reply: z.object({ account: z.object({ id: uuid, name: z.string().nullable() }) }),
    errors: ['role_required', 'account_closed'],
    isIdempotent: true,
  },

  /** Closes an active account for ever: its keys are revoked and its sessions end. `confirm` repeats the address of its oldest owner. */
  closeAccount: {
    request: z.object({
      accountId: uuid,
      personId: uuid.optional(),
      confirm: z.string(),
      clientAddress: z.string(),
    }),
    reply: z.object({ closedAt: z.iso.datetime() }),
    errors: ['confirmation_required', 'account_frozen', 'account_closed', 'role_required'],
  },
});

const email = z.string().max(512);

/** The newest ones of a mailbox are listed. */
export const MAX_MAILBOX_ACCOUNTS = 100;

/** Questions of billing about buyers. For a buyer who is not signed in, no answer reveals whether the address has an account. */
export const buyerCommands = commands({
  /** The one spelling of an address, by which accounts are found. */
  spellAddress: {
    request: z.object({ email }),
    reply: z.object({ email: z.string() }),
    errors: ['invalid_email'],
  },

  /** Rejects an address that cannot sign up, by its domain or its mail servers. */
  admitAddress: {
    request: z.object({ email }),
    reply: z.object({}),
    errors: ['invalid_email', 'disposable_email'],
  },

  /** The accounts whose addresses reach the mailbox of this one, itself among them. */
  listAccountsOfMailbox: {
    request: z.object({ accountId: uuid }),
    reply: z.object({ accountIds: z.array(uuid).max(MAX_MAILBOX_ACCOUNTS) }),
  },

  /** Whether the account of an address is closed for good, so that credits for it are rejected. */
  isAddressClosed: {
    request: z.object({ email }),
    reply: z.object({ isClosed: z.boolean() }),
    errors: ['invalid_email'],
  },
});

/** A session without its secret, in the API and on the bus. */
export const session = namedObject('Session', {
  id: uuid,
  account_id: uuid.describe('The account in which it is').optional(),
  created_at: time,
  last_seen_at: time.describe('To the minute'),
  expires_at: time.describe('Unless it is used before'),
  current: z.boolean().describe('Whether it is the session of this request'),
});

/** The requesting session, which must be a live one of the account. */
const callerFields = { accountId: uuid, personId: uuid.optional(), sessionDigest: secretDigest };

export const sessionCommands = commands({
  /** Lists live sessions of the address, in all its accounts, the last used first. */
  listSessions: {
    request: z.object(callerFields),
    reply: z.object({ sessions: z.array(session) }),
  },

  /** Ends one live session, or all but the requesting one. */
  endSessions: {
    request: z.object({ ...callerFields, sessionId: uuid.nullable(), clientAddress: z.string() }),
    reply: z.object({ ended: z.number().int().describe('How many sessions were ended') }),
    errors: ['session_required', 'session_not_found'],
  },
});
