import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { accountStatus, tier } from './principal.ts';

/**
 * What becomes of the work that a key began. `active`: it goes on. `ending` and `retired`: the key was rotated or ended with hours
 * of grace, so its work is the account's and goes on. `revoked`: the key was cut off at once, and its work with it.
 */
export const keyStanding = z.enum(['active', 'ending', 'retired', 'revoked']);
export type KeyStanding = z.infer<typeof keyStanding>;

export const keyStandingCommands = commands({
  /**
   * What work that a key began may still do, and under which slot and cap: of an ended key those of the key that has its slot now.
   * A `keyId` of null is the account's own work, which has neither. A key that the account never had is revoked.
   */
  getKeyStanding: {
    request: z.object({ accountId: uuid, keyId: uuid.nullable() }),
    reply: z.object({
      accountStatus,
      tier,
      accountCreatedAt: z.iso.datetime(),
      standing: keyStanding,
      limitId: uuid.nullable(),
      dailyCreditCap: z.number().int().positive().nullable(),
    }),
    errors: ['account_closed'],
  },

  /** Every key that has or had a slot and worked at `since` or later: usage is kept by key, limits by slot. */
  listSlotKeys: {
    request: z.object({ accountId: uuid, limitId: uuid, since: z.iso.datetime() }),
    reply: z.object({ keyIds: z.array(uuid) }),
  },
});
