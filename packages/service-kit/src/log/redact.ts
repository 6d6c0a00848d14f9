import { isSecretName, isSignInCode } from './secret-keys.ts';
import { REDACTED, redactText } from './secret-text.ts';

const MAX_DEPTH = 8;
const MAX_ENTRIES = 50;
const MAX_VALUES = 500;
const MAX_KEY_CHARACTERS = 128;
const MAX_STACK_CHARACTERS = 8_192;

/** What a walk over one value remembers. */
type Walk = { readonly above: object[]; valuesLeft: number };
type Plain = Record<string, unknown>;

/** Fields of errors that quote rows, parameters or command arguments. */
const quotingFields = new Set([
  'detail',
  'parameters',
  'params',
  'args',
  'command',
  'query',
  'internalQuery',
]);

const entriesOf = (value: object): [string, unknown][] => {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    try {
      entries.push([key, (value as Plain)[key]]);
    } catch {
      // A getter that throws: there is nothing to show, and a log line must not fail for it.
      entries.push([key, '[unreadable]']);
    }
  }
  return entries;
};

const redactEntries = (entries: [string, unknown][], walk: Walk): Plain => {
  const safe: Plain = Object.create(null);
  for (const [key, value] of entries.slice(0, MAX_ENTRIES)) {
    const name = redactText(key, MAX_KEY_CHARACTERS);
    safe[name] = isSecretName(key) || isSignInCode(key, value) ? REDACTED : redactValue(value, walk);
  }
  if (entries.length > MAX_ENTRIES) safe['...'] = `${entries.length - MAX_ENTRIES} more`;
  return safe;
};

const redactList = (items: readonly unknown[], walk: Walk): unknown[] => {
  const safe = items.slice(0, MAX_ENTRIES).map((item) => redactValue(item, walk));
  return items.length > MAX_ENTRIES ? [...safe, `[${items.length - MAX_ENTRIES} more]`] : safe;
};

const redactError = (error: Error, walk: Walk): Plain => {
  const own = entriesOf(error).filter(
    ([key]) => !quotingFields.has(key) && key !== 'cause' && key !== 'errors',
  );
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  return {
    type: redactText(String(error.name), MAX_KEY_CHARACTERS),
    ...redactEntries(own, walk),
    message: redactText(String(error.message)),
    stack: redactText(String(error.stack), MAX_STACK_CHARACTERS),
    ...(cause === undefined ? {} : { cause: redactValue(cause, walk) }),
    ...(Array.isArray(errors) ? { errors: redactList(errors, walk) } : {}),
  };
};

const redactObject = (value: object, walk: Walk): unknown => {
  if (Error.isError(value)) return redactError(value, walk);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return redactList(value, walk);
  if (value instanceof Set) return redactList([...value], walk);
  if (value instanceof Map) {
    return redactEntries(
      [...value].map(([key, item]) => [String(key), item]),
      walk,
    );
  }
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function'
    ? redactValue(toJSON.call(value), walk)
    : redactEntries(entriesOf(value), walk);
};

const redactValue = (value: unknown, walk: Walk): unknown => {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (walk.above.includes(value)) return '[circular]';
  if (walk.above.length >= MAX_DEPTH) return '[deeper]';
  if (walk.valuesLeft-- <= 0) return '[more]';
  walk.above.push(value);
  try {
    return redactObject(value, walk);
  } catch {
    // Proxies and toJSON may throw; a log line must not fail for what it describes.
    return '[unreadable]';
  } finally {
    walk.above.pop();
  }
};

/** A copy of the fields as plain JSON values: without secrets, without cycles, bounded in depth and size. */
export const redact = (fields: Record<string, unknown>): Plain => {
  const walk: Walk = { above: [fields], valuesLeft: MAX_VALUES };
  return redactEntries(entriesOf(fields), walk);
};
