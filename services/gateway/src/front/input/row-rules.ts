import { IDEMPOTENCY_KEY_HEADER, idempotencyKey, type Principal } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { parseBody, parseQuery, type RawQuery, type Route } from '@tds/http-api';
import type { BodyShare } from '../../admission/index.ts';
import { memoize } from '../../domain/memoize.ts';
import { createAuthorization } from '../../principals/index.ts';
import type { GatewayRequest } from '../../wire/index.ts';
import { createLargeBodies, readBody, readSignedBody } from './request-body.ts';
import type { ReadRequest } from './route-input.ts';

type ParsedQuery = { readonly query: Record<string, unknown> | null; readonly error: unknown };

/** Parses each query once: the reader returns the same object for the same string. */
const createQueryParser = (row: Route): ((raw: RawQuery) => ParsedQuery) =>
  memoize((raw) => {
    try {
      return { query: parseQuery(row, raw), error: null };
    } catch (error) {
      // Thrown after admission, so that the answer carries the caller's headers and unknown callers see no
      // rules.
      return { query: null, error };
    }
  });

/** `share` bounds the memory of a caller without a credential. */
type BodyParser = (
  request: GatewayRequest,
  principal: Principal | null,
  share: BodyShare | null,
) => Promise<Record<string, unknown>>;

/** A changing route without fields rejects every field, because its sender expects an effect. */
const createBodyParser = (
  { method, body, largestBodyBytes, signedBy, listedBodyCode, emptyBodyCode, ignoresBody }: Route,
  now: () => Date,
): BodyParser | null => {
  if (signedBy !== undefined)
    return (request, _principal, share) =>
      readSignedBody(request, now(), { header: signedBy, largestBytes: largestBodyBytes }, share);
  if (method === 'GET' || ignoresBody) return null;
  const parse = async (request: GatewayRequest, share: BodyShare | null) => {
    const text = await readBody(request, largestBodyBytes, share);
    const fields = parseBody(body ?? {}, text, listedBodyCode);
    if (emptyBodyCode && Object.values(fields).every((value) => value === undefined))
      throw serviceError(emptyBodyCode);
    return fields;
  };
  if (largestBodyBytes === undefined) return (request, _principal, share) => parse(request, share);
  const readLarge = createLargeBodies();
  return (request, principal, share) =>
    principal === null
      ? parse(request, share)
      : readLarge(principal.accountId, request, () => parse(request, null));
};

const noParams = Object.freeze({});

/** Reads the ids of the path, under their names in requests. Throws the code of the first invalid one. */
const createParamsReader = ({ params }: Route): ((request: GatewayRequest) => ReadRequest['params']) => {
  const rules = Object.entries(params);
  if (rules.length === 0) return () => noParams;
  return (request) =>
    Object.fromEntries(
      rules.map(([name, { schema, code, as = name }]) => {
        const id = schema.safeParse(request.params?.[name]);
        if (!id.success) throw serviceError(code);
        return [as, id.data];
      }),
    );
};

const idempotencyHeader = IDEMPOTENCY_KEY_HEADER.toLowerCase();

/** Parses all occurrences of the header; null without one. Throws `invalid_idempotency_key`. */
const readIdempotencyKey = ({ headersDistinct }: GatewayRequest): string | null => {
  const sent = headersDistinct[idempotencyHeader];
  if (sent === undefined) return null;
  const key = idempotencyKey.safeParse(sent[0]);
  if (sent.length !== 1 || !key.success) throw serviceError('invalid_idempotency_key');
  return key.data;
};

/** A row's rules for requests, prepared once. */
export const createRules = (row: Route, now: () => Date) => ({
  parseQuery: createQueryParser(row),
  readParams: createParamsReader(row),
  parseRequestBody: createBodyParser(row, now),
  readIdempotencyKey: row.takesIdempotencyKey ? readIdempotencyKey : null,
  authorize: createAuthorization(row),
});
export type RowRules = ReturnType<typeof createRules>;
