import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { tier } from '../principal.ts';
import { listingCommands } from './listing-commands.ts';
import { searchCommands } from './search-commands.ts';

/** Ways from a channel, a playlist, a text or words to videos. */
export const search = defineContract('search', {
  commands: { ...listingCommands, ...searchCommands },
  tasks: {
    /** Walks through a channel or playlist and saves page after page; an instance that takes the task over continues at the last token. */
    makeListing: {
      payload: z.object({ listingId: uuid, payer: z.object({ accountId: uuid, tier }).optional() }),
      // Renewed while it runs, so this is how soon a killed worker's walk is taken over.
      leaseMs: 10_000,
      backoffMs: [1_000, 2_000, 5_000, 10_000, 20_000],
      concurrency: 16,
      timeLimitMs: 600_000,
    },
    /** Releases the credit of a search whose page was not delivered; repeats until the ledger has answered. */
    releaseSearch: {
      payload: z.object({ searchId: uuid }),
      leaseMs: 10_000,
      backoffMs: [200, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, ...Array<number>(10).fill(60_000)],
      concurrency: 16,
      timeLimitMs: 60_000,
    },
  },
});
