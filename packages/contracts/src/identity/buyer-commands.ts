import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';

export const buyerCommands = commands({
  /** The one spelling of an address, by which accounts are found. Looks at no account. */
  spellAddress: {
    request: z.object({ email: z.string().max(512) }),
    reply: z.object({ email: z.string() }),
    errors: ['invalid_email'],
  },

  /**
   * The account of an address that somebody has paid for; opened, without a key, where there is none: who can read its mail signs in
   * to it. `isClosed` if it was closed: then nobody gets in any more.
   */
  accountOfBuyer: {
    request: z.object({ email: z.string().max(512) }),
    reply: z.object({ accountId: uuid, isClosed: z.boolean() }),
    errors: ['invalid_email'],
  },
});
