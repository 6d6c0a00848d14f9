import { z } from 'zod';
import { clientNames } from '../wire/clients.ts';

export const endpoints = [
  ...(['player', 'watch', 'timedtext', 'visitor_id'] as const),
  ...(['search', 'browse', 'resolve_url', 'data_api', 'feed'] as const),
  ...(['get_pot', 'ping', 'embed'] as const),
] as const;
export type Endpoint = (typeof endpoints)[number];

/** Faults that take the place of what the platform says. */
export const answerFaults = [
  'block',
  'captcha',
  'try_again_later',
  'unknown_status',
  'no_playability_status',
  'wrong_video',
  'token_required',
  'refused_token',
  'consent',
  'too_many_requests',
  'translation_too_many_requests',
  'empty',
  'garbage',
  'html',
  'redirect_private',
  'redirect_metadata',
  'server_error',
  'quota_exceeded',
  'not_found',
  'hostile_xml',
] as const;

/** Faults of the connection: a right answer that arrives badly, late or never. */
export const deliveryFaults = [
  'slow',
  'hang',
  'slow_drip',
  'truncated_json',
  'truncated_gzip',
  'endless_body',
  'reset',
] as const;

export const faultNameSchema = z.enum([...answerFaults, ...deliveryFaults]);
export type FaultName = z.infer<typeof faultNameSchema>;

export const faultSchema = z.strictObject({
  match: z
    .strictObject({
      videoId: z.string().optional(),
      /** The channel or playlist whose feed is asked for. */
      sourceId: z.string().optional(),
      client: z.enum(clientNames).optional(),
      endpoint: z.enum(endpoints).optional(),
    })
    .default({}),
  fault: faultNameSchema,
  /** How many requests it hits; without it, all until it is cleared. */
  times: z.int().positive().optional(),
  /** Waits that long before the answer. */
  latencyMs: z.int().nonnegative().optional(),
});

export type FaultInput = z.input<typeof faultSchema>;
export type Fault = z.output<typeof faultSchema>;
