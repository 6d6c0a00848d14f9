import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS } from '../deadlines.ts';

/** Of the document by which an app describes itself. */
export const MAX_APP_DOCUMENT_BYTES = 5_120;
const MAX_URL_LENGTH = 2_048;
const MAX_HEADER_LENGTH = 256;

/** For name look-up, connection and body together: someone waits before a page. */
export const APP_DOCUMENT_WAIT_MS = 2_000;

/** The dispatcher is the one service that reaches servers of strangers, and knows which addresses are private. */
export const documentCommands = commands({
  /** Reads the document of an app at its public https address, without following redirects. Null if that fails. */
  readAppDocument: {
    request: z.object({ url: z.string().max(MAX_URL_LENGTH) }),
    reply: z.object({
      document: z
        .object({
          status: z.number().int(),
          body: z.string(),
          cacheControl: z.string().max(MAX_HEADER_LENGTH).nullable(),
        })
        .nullable(),
    }),
    timeoutMs: APP_DOCUMENT_WAIT_MS + HOPS_MS,
  },
});
