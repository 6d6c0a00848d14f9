import { type ServiceError, serviceErrorData } from '@tds/errors';
import { z } from 'zod';

/** The error body of every route (specification, part 7). */
export const errorEnvelope = z
  .object({
    ok: z.literal(false),
    ...serviceErrorData.pick({ errorClass: true, code: true }).shape,
    message: z.string(),
    retryable: z.boolean(),
    docs_url: z.url(),
    request_id: z.string(),
    retry_after: z.number().int().optional(),
    required: z.number().int().optional(),
    available: z.number().int().optional(),
    shortfall: z.number().int().optional(),
    buy_url: z.url().optional(),
    support_email: z.string().optional(),
    bytes: z.number().int().optional(),
    allow: z.array(z.string()).optional(),
    available_languages: z.array(z.string()).optional(),
    needed_scopes: z.array(z.string()).optional(),
    active_job_ids: z.array(z.string()).optional(),
    checkout_url: z.string().nullable().optional(),
  })
  .meta({ id: 'Error' });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

/** The error as its caller sees it; `publicUrl` is the origin under which the service is reached. */
export const toEnvelope = (error: ServiceError, requestId: string, publicUrl: string): ErrorEnvelope => ({
  ok: false,
  errorClass: error.errorClass,
  code: error.code,
  message: error.data.message,
  retryable: error.data.retryable,
  docs_url: `${publicUrl}/docs/errors#${error.errorClass}`,
  request_id: requestId,
  ...(error.data.retryAfterSeconds === undefined ? {} : { retry_after: error.data.retryAfterSeconds }),
  ...error.data.extras,
});
