import { z } from 'zod';
import { namedObject } from '../bounded.ts';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { accountStatus, frozenReason, tier } from './principal.ts';

const count = z.number().int().nonnegative();

/** An account, in the API and on the bus. */
const account = namedObject('AccountProfile', {
  id: uuid,
  email: z.string(),
  status: accountStatus,
  frozen_reason: frozenReason.nullable().describe('Why a frozen account is frozen; null for every other'),
  tier,
  created_at: z.iso.datetime(),
});

export const accountCommands = commands({
  /** An account, and the key of the request. */
  getAccount: {
    request: z.object({ accountId: uuid, keyId: uuid.nullable() }),
    reply: z.object({
      account,
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

  /** Closes an active account for ever: its keys are revoked and its sessions end. `confirm` repeats its address. */
  closeAccount: {
    request: z.object({ accountId: uuid, confirm: z.string(), clientAddress: z.string() }),
    reply: z.object({ closedAt: z.iso.datetime() }),
    errors: ['confirmation_required', 'account_frozen', 'account_closed'],
  },
});

const email = z.string().max(512);

/** Checks of billing for the address of a buyer who is not signed in. No answer reveals whether the address has an account. */
export const buyerCommands = commands({
  /** The one spelling of an address, by which accounts are found. */
  spellAddress: {
    request: z.object({ email }),
    reply: z.object({ email: z.string() }),
    errors: ['invalid_email'],
  },

  /** Refuses an address that cannot sign up, by its domain or by the servers that take its mail. */
  admitAddress: {
    request: z.object({ email }),
    reply: z.object({}),
    errors: ['invalid_email', 'disposable_email'],
  },

  /** Whether the account of an address is closed, which is for ever: credits for it cannot be accepted. */
  isAddressClosed: {
    request: z.object({ email }),
    reply: z.object({ isClosed: z.boolean() }),
    errors: ['invalid_email'],
  },
});
