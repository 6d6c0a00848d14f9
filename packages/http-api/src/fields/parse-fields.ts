import { errorCodeDefinition, type ServiceError, serviceError } from '@tds/errors';
import { z } from 'zod';
import type { Field, Fields, ParsedFields, Route } from '../define-route.ts';
import { boundJson } from './json-bounds.ts';
import { suggestionFor } from './suggestions.ts';
import { isShowable, refuseUnknownFields, refuseUnknownParameters } from './unknown-names.ts';

/** Names under which people put keys into URLs; rejected with any value (specification, part 5.4). */
const keyParameterNames = new Set(
  `api_key apikey api-key key x-api-key x_api_key api_token apitoken token access_token
  access_key auth_token auth authorization bearer secret`.split(/\s+/),
);
/** Any part of a URL that starts like a key counts as one. */
export const KEY_PATTERN = /svc_(?:live|conn)_/i;

const isKeyName = (name: string): boolean => keyParameterNames.has(name.trim().toLowerCase());

export type RawQuery = Readonly<Record<string, string | readonly string[]>>;

const encoded = /(?:%[0-9a-f]{2})+/gi;

const isNoText = (bytes: string): boolean => {
  try {
    decodeURIComponent(bytes);
    return false;
  } catch {
    return true;
  }
};

/** The names whose values are no UTF-8, which readers show as a replacement character. */
const brokenNames = (search: string): ReadonlySet<string> => {
  if (!search.match(encoded)?.some(isNoText)) return new Set();
  const brokenPairs = search.split('&').filter((pair) => pair.match(encoded)?.some(isNoText));
  return new Set(brokenPairs.flatMap((pair) => [...new URLSearchParams(pair).keys()]));
};

/** Of a query: several times those of our longest. */
const MAX_PAIRS = 50;

/**
 * Reads a query string. A name that comes twice, as `name[]` or `name[x]`, or with a value that is no UTF-8, becomes an array,
 * which no rule of ours accepts: so it meets the error of its field. Throws `key_in_query_string` for keys in the URL.
 */
export function splitQuery(search: string): RawQuery {
  if (search.split('&', MAX_PAIRS + 1).length > MAX_PAIRS)
    throw serviceError('malformed_request', { message: `Send at most ${MAX_PAIRS} parameters.` });
  const values: Record<string, string | string[]> = Object.create(null);
  const malformedNames = brokenNames(search);
  for (const [rawName, value] of new URLSearchParams(search)) {
    const bracket = rawName.indexOf('[');
    const name = bracket > 0 ? rawName.slice(0, bracket) : rawName;
    if (isKeyName(name) || KEY_PATTERN.test(rawName) || KEY_PATTERN.test(value)) {
      throw serviceError('key_in_query_string');
    }
    const before = values[name];
    if (before === undefined && bracket <= 0 && !malformedNames.has(rawName)) values[name] = value;
    else values[name] = [...(before === undefined ? [] : [before].flat()), value];
  }
  return values;
}

const wholeNumberRule = (name: string, min: unknown, max: unknown): string =>
  `${name} is a whole number from ${min ?? 0} ${max === undefined ? 'on' : `to ${max}`}`;

const choiceRule = (name: string, choices: readonly unknown[]): string =>
  choices.length === 1 ? `${name} is ${choices[0]}` : `${name} is one of ${choices.join(', ')}`;

/** Numbers, choices and JSON booleans as this route has them; null if the code's own text says all. */
const statedRule = (name: string, schema: z.ZodType): string | null => {
  const { type, minimum, maximum, multipleOf } = schema.meta() ?? {};
  if (type === 'integer' && multipleOf !== undefined)
    return `${name} is 0 or a multiple of ${multipleOf}, at most ${maximum}`;
  if (type === 'integer') return wholeNumberRule(name, minimum, maximum);
  const rule = innermost(schema);
  if (rule instanceof z.ZodEnum) return choiceRule(name, rule.options);
  if (rule instanceof z.ZodLiteral) return choiceRule(name, [...rule.values]);
  if (rule instanceof z.ZodNumber)
    return wholeNumberRule(name, rule.minValue ?? undefined, rule.maxValue ?? undefined);
  return rule instanceof z.ZodBoolean ? `${name} is true or false, as JSON has them` : null;
};

const describeRule = (name: string, schema: z.ZodType): string | null => {
  const rule = statedRule(name, schema);
  return rule && `${rule}${schema.safeParse(null).success ? ', or null for none' : ''}.`;
};

/** The schema inside of its optional and default wrappers. */
const innermost = (schema: z.ZodType): z.ZodType => {
  const inner = (schema.def as { readonly innerType?: z.ZodType }).innerType;
  return inner === undefined ? schema : innermost(inner);
};

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  string: 'one text',
  record: 'an object',
  object: 'an object',
};

/** The place of an issue inside of a field. Any other text than a name may be a secret, and is not shown again. */
const describePlace = (name: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, part) => {
    if (typeof part === 'number') return `${place}[${part}]`;
    return isShowable(String(part)) ? `${place}.${String(part)}` : `a value in ${place}`;
  }, name);

/** The error of a list names its first invalid item, of up to 500. */
const brokenField = (
  name: string,
  { schema, code }: Field,
  { issues: [issue] }: z.ZodError,
  value: unknown,
): ServiceError => {
  const message = errorCodeDefinition(code).message + suggestionFor(code, value);
  if (value === undefined) return serviceError(code, { message: `${name} is missing. ${message}` });
  const rule = describeRule(name, schema);
  if (rule !== null) return serviceError(code, { message: rule });
  const index = issue?.path[0];
  if (typeof index === 'number')
    return serviceError(code, {
      message: `${message} ${describePlace(name, issue?.path ?? [])} does not have that form.`,
    });
  const kind = issue?.code === 'invalid_type' ? kinds[issue.expected] : undefined;
  if (kind === undefined) return serviceError(code, { message });
  return serviceError(code, { message: `${describePlace(name, issue?.path ?? [])} is ${kind}. ${message}` });
};

/** Applies every field's rule in the order of declaration; the first broken one is the answer. */
function parseFields<F extends Fields>(fields: F, values: Readonly<Record<string, unknown>>): ParsedFields<F> {
  const parsed: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const result = field.schema.safeParse(value);
    if (!result.success) throw brokenField(name, field, result.error, value);
    parsed[name] = result.data;
  }
  return parsed as ParsedFields<F>;
}

/** Parses the parameters of a query. Throws `unknown_parameter`, or the code of the first invalid field. */
export function parseQuery<F extends Fields>(
  row: { readonly query: F; readonly body: Fields | null },
  query: RawQuery,
): ParsedFields<F> {
  refuseUnknownParameters(row, query);
  return parseFields(row.query, query);
}

/**
 * The arguments of a tool call, whose fields are those of routes. Models write numbers as text, text as numbers, lists and objects as JSON
 * text, and null for what they leave out: all of it counts as what the field takes.
 * Throws `unknown_parameter`, or the code of the first invalid field.
 */
export function parseArguments<F extends Fields>(
  fields: F,
  values: Readonly<Record<string, unknown>>,
): ParsedFields<F> {
  refuseUnknownFields('argument', fields, values);
  const presentValues = Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, coerceValue(fields[name], value)]);
  return parseFields(fields, Object.fromEntries(presentValues));
}

const coerceValue = (field: Field | undefined, value: unknown): unknown => {
  if (field === undefined) return value;
  const rule = innermost(field.schema);
  if (isScalar(value)) return isText(field) || rule instanceof z.ZodString ? String(value) : value;
  const isWritten = [z.ZodArray, z.ZodRecord, z.ZodObject, z.ZodNumber, z.ZodBoolean].some(
    (kind) => rule instanceof kind,
  );
  return typeof value === 'string' && isWritten ? parseJsonText(value) : value;
};

/** The value of a bounded JSON text; the text itself if it is none. */
export const parseJsonText = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
};

const isScalar = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

/** Whether a rule reads a number or a boolean from text. */
const isText = (field: Field | undefined): boolean =>
  ['integer', 'boolean'].includes(String(field?.schema.meta()?.type));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseJson = (text: string): unknown => {
  boundJson(text);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold secrets.
    throw serviceError('invalid_json');
  }
};

/**
 * Parses the fields of a JSON body, which may be empty if all fields are optional. Throws `listedBodyCode` for a list,
 * `invalid_json` for anything else but an object, `unknown_parameter`, or the code of the first invalid field.
 */
export function parseBody<F extends Fields>(
  fields: F,
  text: string,
  listedBodyCode: NonNullable<Route['listedBodyCode']> | 'invalid_json' = 'invalid_json',
): ParsedFields<F> {
  if (text === '') return parseEmptyBody(fields);
  const body = parseJson(text);
  if (Array.isArray(body) && listedBodyCode !== 'invalid_json') throw serviceError(listedBodyCode);
  if (!isRecord(body))
    throw serviceError('invalid_json', { message: 'The request body must be a JSON object.' });
  refuseUnknownFields('body field', fields, body);
  return parseFields(fields, body);
}

const parseEmptyBody = <F extends Fields>(fields: F): ParsedFields<F> => {
  const required = Object.keys(fields).filter((name) => !fields[name]?.schema.safeParse(undefined).success);
  if (required.length === 0) return parseFields(fields, {});
  throw serviceError('invalid_json', {
    message: `The request has no body. Send a JSON object with ${required.join(', ')}.`,
  });
};
