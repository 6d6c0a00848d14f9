import { captionKind, translationOutcome } from '@tds/contracts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Every header that an answer may carry, beside those of HTTP itself; `required` wherever it is described. */
export const answerHeaders = {
  'X-Request-Id': {
    required: true,
    description: 'The id of this request, also in error bodies',
    schema: { type: 'string', format: 'uuid' },
  },
  'Cache-Control': { required: true, description: 'no-store, but for documents', schema: text },
  'X-Content-Type-Options': {
    ...{ required: true, description: 'No guessing of types' },
    schema: { const: 'nosniff' },
  },
  'X-Credits-Charged': { description: 'Credits that this answer cost', schema: count },
  'X-Credits-Balance': {
    description: 'Credits that the account can spend: free and purchased',
    schema: count,
  },
  'X-RateLimit-Limit': { description: 'Requests per minute of the key that asked', schema: count },
  'X-Cache': { description: 'Whether the answer came from the cache', schema: { enum: ['HIT', 'MISS'] } },
  'Retry-After': { description: 'Seconds until a retry makes sense', schema: count },
  Allow: { required: true, description: 'The methods of this path', schema: text },
  'Content-Disposition': { description: 'The name of the file', schema: text },
  'Accept-Ranges': { description: 'Ranges of this file can be asked for', schema: { const: 'bytes' } },
  'Content-Range': { description: 'Which bytes these are, and of how many', schema: text },
  ETag: { description: 'The same for the same bytes, for If-Range', schema: text },
  'Repr-Digest': { description: 'SHA-256 of the whole file (RFC 9530)', schema: text },
  'X-Archive-Expires-At': {
    description: 'Until when the archive is kept',
    schema: { type: 'string', format: 'date-time' },
  },
  Vary: { description: 'Accept-Encoding, where the answer may come compressed', schema: text },
  'Content-Language': { description: 'The language of the file', schema: text },
  'X-Transcript-Language-Requested': { description: 'language.requested of a file', schema: text },
  'X-Transcript-Fallback': {
    description: 'language.fallback of a file',
    schema: { enum: ['true', 'false'] },
  },
  'X-Transcript-Translation': {
    description: 'language.translation of a file',
    schema: { enum: translationOutcome.options },
  },
  'X-Transcript-Kind': { description: 'language.kind of a file', schema: { enum: captionKind.options } },
  'Idempotency-Replayed': {
    description: 'Where this is the answer of an earlier request with the same Idempotency-Key',
    schema: { const: 'true' },
  },
  'WWW-Authenticate': { required: true, description: 'What to sign in with', schema: text },
  'Set-Cookie': {
    description: 'The session cookie svc_dashboard, set or cleared; at sign-in another one, svc_device',
    schema: text,
  },
} as const satisfies Record<string, { required?: true; description: string; schema: object }>;

export type AnswerHeader = keyof typeof answerHeaders;
