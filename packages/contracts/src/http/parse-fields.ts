import { serviceError } from '../errors/service-error.ts';
import type { Fields, ParsedFields } from './define-route.ts';

/** Names under which people put keys into URLs; refused whatever their value (specification, part 5.4). */
const keyParameterNames = new Set([
  'api_key',
  'apikey',
  'api-key',
  'key',
  'x-api-key',
  'x_api_key',
  'api_token',
  'apitoken',
  'token',
  'access_token',
  'access_key',
  'auth_token',
  'auth',
  'authorization',
  'bearer',
  'secret',
]);
const looksLikeKey = /svc_live_/i;

const isKeyName = (name: string): boolean => keyParameterNames.has(name.trim().toLowerCase());

export type RawQuery = Readonly<Record<string, string | readonly string[]>>;

/**
 * Reads a query string. A name that comes twice, or as `name[]` or `name[x]`, becomes an array, which no rule of
 * ours accepts: so it meets the error of its field. Throws `key_in_query_string` for keys in the URL.
 */
export function readQuery(search: string): RawQuery {
  const values: Record<string, string | string[]> = Object.create(null);
  for (const [rawName, value] of new URLSearchParams(search)) {
    const bracket = rawName.indexOf('[');
    const name = bracket > 0 ? rawName.slice(0, bracket) : rawName;
    if (isKeyName(name) || looksLikeKey.test(rawName) || looksLikeKey.test(value)) {
      throw serviceError('key_in_query_string');
    }
    const before = values[name];
    if (before === undefined && bracket <= 0) values[name] = value;
    else values[name] = [...(before === undefined ? [] : [before].flat()), value];
  }
  return values;
}

/** Applies every field's rule in the order of declaration; the first broken one is the answer. */
export function parseFields<F extends Fields>(
  fields: F,
  values: Readonly<Record<string, unknown>>,
): ParsedFields<F> {
  const parsed: Record<string, unknown> = {};
  for (const [name, { schema, code }] of Object.entries(fields)) {
    const result = schema.safeParse(Object.hasOwn(values, name) ? values[name] : undefined);
    if (!result.success) throw serviceError(code);
    parsed[name] = result.data;
  }
  return parsed as ParsedFields<F>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON body as text. Unknown fields are ignored; anything but an object is `invalid_json`. */
export function parseBody<F extends Fields>(fields: F, text: string): ParsedFields<F> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw serviceError('invalid_json', { cause });
  }
  if (!isRecord(body))
    throw serviceError('invalid_json', { message: 'The request body must be a JSON object.' });
  return parseFields(fields, body);
}
