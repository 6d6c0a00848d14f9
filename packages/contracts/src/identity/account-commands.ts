import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { accountStatus, frozenReason, tier } from './principal.ts';

export const accountCommands = commands({
  /** What identity knows of an account and of the key that asks. */
  getAccount: {
    request: z.object({ accountId: uuid, keyId: uuid.nullable() }),
    reply: z.object({
      email: z.string(),
      status: accountStatus,
      /** Null unless it is frozen. */
      frozenReason: frozenReason.nullable(),
      tier,
      createdAt: z.iso.datetime(),
      liveKeys: z.number().int(),
      keyLimit: z.number().int(),
      callingKey: z.object({ id: uuid, name: z.string(), prefix: z.string() }).nullable(),
    }),
  },

  /** Closes an active account for ever: its keys are revoked and its sessions end. `confirm` repeats its address. */
  closeAccount: {
    request: z.object({ accountId: uuid, confirm: z.string(), clientAddress: z.string() }),
    reply: z.object({ closedAt: z.iso.datetime() }),
    errors: ['confirmation_required', 'account_frozen', 'account_closed'],
  },
});
