import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';

const email = z.string().max(512);

/** What billing asks about the address of a buyer who is not signed in. None of these answers says who has an account. */
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

  /** Whether the account of an address is closed, which is for ever: nobody can accept credits for it. */
  isAddressClosed: {
    request: z.object({ email }),
    reply: z.object({ isClosed: z.boolean() }),
    errors: ['invalid_email'],
  },
});
