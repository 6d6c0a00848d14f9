import { z } from 'zod';
import { webhookChange } from '../webhook-dispatcher/webhook-commands.ts';
import { frozenReason } from './principal.ts';

/** What the holder of an account is mailed about. Of a webhook's address only the host: the rest may be a secret. */
export const notice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('webhook_disabled'), host: z.string().max(253) }),
  z.object({
    kind: z.literal('webhook_changed'),
    host: z.string().max(253),
    changes: z.array(webhookChange),
  }),
  z.object({ kind: z.literal('account_frozen'), reason: frozenReason }),
  z.object({ kind: z.literal('account_active') }),
  z.object({ kind: z.literal('key_made'), name: z.string(), prefix: z.string() }),
  z.object({
    kind: z.literal('tier_fell'),
    /** Those that end because the tier allows fewer. */
    keys: z.array(z.object({ name: z.string(), prefix: z.string(), endsAt: z.iso.datetime() })),
  }),
]);
export type Notice = z.infer<typeof notice>;
