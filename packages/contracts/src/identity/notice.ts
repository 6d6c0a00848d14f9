import { z } from 'zod';
import { frozenReason } from './principal.ts';

/** What the holder of an account is mailed about. Of a webhook's address only the host: the rest may be a secret. */
export const notice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('webhook_disabled'), host: z.string().max(253) }),
  z.object({ kind: z.literal('account_frozen'), reason: frozenReason }),
  z.object({ kind: z.literal('account_active') }),
]);
export type Notice = z.infer<typeof notice>;
