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
  'Cache-Control': { required: true, description: 'no-store, except for documents', schema: text },
  'X-Content-Type-Options': {
    ...{ required: true, description: 'Disables type sniffing' },
    schema: { const: 'nosniff' },
  },
  'X-Credits-Charged': { description: 'Credits charged for this request', schema: count },
  'X-Credits-Balance': {
    description: 'Credits available to the account: free plus purchased',
    schema: count,
  },
  'X-RateLimit-Limit': { description: 'Requests per minute of the key', schema: count },
  'X-Cache': { description: 'Whether the answer came from the cache', schema: { enum: ['HIT', 'MISS'] } },
  'Retry-After': { description: 'Seconds until a retry makes sense', schema: count },
  Allow: { required: true, description: 'The methods of this path', schema: text },
  'Content-Disposition': { description: 'The name of the file', schema: text },
  Link: { description: 'The relative address of the next page of a CSV, with rel="next"', schema: text },
  'X-Is-Complete': {
    description: 'false if a CSV lacks something; its last line says what',
    schema: { enum: ['true', 'false'] },
  },
  'Accept-Ranges': { description: 'The file supports range requests', schema: { const: 'bytes' } },
  'Content-Range': { description: 'The range of bytes and the total', schema: text },
  ETag: { description: 'Identifies the bytes, for If-Range and If-None-Match', schema: text },
  'X-Robots-Tag': { description: 'Keeps a secret address out of searches', schema: { const: 'noindex' } },
  'Repr-Digest': { description: 'SHA-256 of the whole file (RFC 9530)', schema: text },
  'X-Archive-Expires-At': {
    description: 'When the archive is deleted',
    schema: { type: 'string', format: 'date-time' },
  },
  Vary: { description: 'Accept-Encoding, if the answer may be compressed', schema: text },
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
    description: 'true if this repeats the answer of an earlier request with the same Idempotency-Key',
    schema: { const: 'true' },
  },
  'WWW-Authenticate': { required: true, description: 'The accepted credentials', schema: text },
  'Set-Cookie': {
    description: 'Sets or clears the session cookie svc_dashboard; at sign-in also sets svc_device',
    schema: text,
  },
} as const satisfies Record<string, { required?: true; description: string; schema: object }>;

export type AnswerHeader = keyof typeof answerHeaders;
