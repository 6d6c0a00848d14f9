import { createHash } from 'node:crypto';
import { secretNames } from '@tds/contracts';

const SECRET_FIELDS = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'cookies',
  'setcookie',
  'pass',
  'passwd',
  'pwd',
  'passphrase',
  'pepper',
  'credentials',
  'signature',
  'seed',
  'nkey',
]);
const secretEndings = ['password', 'secret', 'secrets', 'token', 'tokens', 'apikey', 'privatekey', 'accesskey'];

/** Whether a field of this name is never shown. */
export const isSecretName = (name: string): boolean => {
  const plain = name.replace(/[-_\s.]/g, '').toLowerCase();
  return SECRET_FIELDS.has(plain) || secretEndings.some((ending) => plain.endsWith(ending));
};

const isCodeName = (name: string): boolean => /(?:^|[a-z_-])code$/i.test(name);

/** no_captions, ECONNREFUSED, ERR_INVALID_ARG, the five characters of an SQLSTATE. */
const errorCode = /^(?:[a-z]{2,}(?:_[a-z0-9]+){0,8}|[A-Z][A-Z]+(?:_[A-Z0-9]+){0,8}|[0-9A-Z]{5})$/;
const MAX_STATUS_CODE = 999;

/** A field named code holds a sign-in code unless it looks like an error's code or a status. */
export const isSignInCode = (name: string, value: unknown): boolean => {
  if (!isCodeName(name)) return false;
  if (typeof value === 'number') return value > MAX_STATUS_CODE;
  return typeof value === 'string' && !errorCode.test(value);
};

const REDACTED = '[redacted]';

/** Longest text that is searched; a secret that starts in the shown part is recognised up to here. */
const SEARCHED_CHARACTERS = 32_768;
const EMAIL_HASH_CHARACTERS = 8;

const ownNames = { prefixes: secretNames.prefixes.join('|'), cookies: secretNames.cookies.join('|') };

/** One look decides for most texts that nothing below can match. */
const suspicious = new RegExp(
  `${ownNames.prefixes}|${ownNames.cookies}|bearer|basic|@|password|passwd|secret|token|cookie|api_?key|authorization|signature|code`,
  'i',
);

type Rule = readonly [pattern: RegExp, replacement: string | ((match: string) => string)];

/**
 * An address becomes the start of its SHA-256: lines about one person can be found together without naming the person. Who has
 * the address can search for it; the log alone does not reveal it.
 */
const hashEmail = (email: string): string =>
  `[email ${createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, EMAIL_HASH_CHARACTERS)}]`;

/** Every repetition is bounded, so that hostile text costs linear time. */
const rules: readonly Rule[] = [
  [new RegExp(`(${ownNames.prefixes})[0-9a-z+/=]{6,}`, 'gi'), `$1${REDACTED}`],
  [/\b(bearer|basic)\s{1,8}[^\s"',;]+/gi, `$1 ${REDACTED}`],
  [new RegExp(`(${ownNames.cookies})\\s?=\\s?[^;\\s"',]+`, 'gi'), `$1=${REDACTED}`],
  // Credentials of a URL; the second form has characters that should have been escaped.
  [/:\/\/[^\s/?#@"'<>]{1,512}@/g, `://${REDACTED}@`],
  [/:\/\/[^\s/?#@:"'<>]{0,256}:(?!\d{1,5}(?:[/?#]|$))[^\s"'<>]{1,512}@/g, `://${REDACTED}@`],
  // name=value and "name":"value" in query strings, forms, headers and JSON that travel as text.
  [
    /\b([a-z_-]{0,32}(?:password|passwd|secret|token|cookie|api_?key|authorization|signature))\b(["']?\s{0,4}[=:]\s{0,4})(?!\[redacted\])("[^"]*"|'[^']*'|[^\s"'&,;}]+)/gi,
    `$1$2${REDACTED}`,
  ],
  [/\bcode\b[^0-9\n]{0,24}\b\d{6}\b/gi, `code ${REDACTED}`],
  [
    /[^\s@"'`<>(),:;=&?[\]{}\\/|]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:xn--[a-z0-9-]{1,59}|\p{L}{2,63})/giu,
    hashEmail,
  ],
];

/** Cuts at white space, so that no half of a secret is left at the end. */
const searchedPart = (text: string): string => {
  if (text.length <= SEARCHED_CHARACTERS) return text;
  const end = Math.max(text.lastIndexOf(' ', SEARCHED_CHARACTERS), text.lastIndexOf('\n', SEARCHED_CHARACTERS));
  return end < 0 ? `[${text.length} characters]` : text.slice(0, end);
};

/**
 * The text without keys, bearer tokens, our cookies, passwords, sign-in codes, URL credentials and email addresses,
 * and no longer than `maxCharacters`.
 */
export const redactText = (text: string, maxCharacters = 4_096): string => {
  let safe = searchedPart(text);
  if (suspicious.test(safe)) {
    for (const [pattern, replacement] of rules) safe = safe.replace(pattern, replacement as string);
  }
  if (safe.length > maxCharacters) return `${safe.slice(0, maxCharacters)}[... of ${text.length} characters]`;
  return safe.isWellFormed() ? safe : safe.toWellFormed();
};

const MAX_DEPTH = 8;
const MAX_ENTRIES = 50;
const MAX_VALUES = 500;
const MAX_KEY_CHARACTERS = 128;
const MAX_STACK_CHARACTERS = 8_192;

/** The state of a walk over one value. */
type Walk = { readonly ancestors: object[]; valuesLeft: number };
type Plain = Record<string, unknown>;

/** Fields of errors that quote rows, parameters or command arguments. */
const quotingFields = new Set(['detail', 'parameters', 'params', 'args', 'command', 'query', 'internalQuery']);

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
  if (walk.ancestors.includes(value)) return '[circular]';
  if (walk.ancestors.length >= MAX_DEPTH) return '[deeper]';
  if (walk.valuesLeft-- <= 0) return '[more]';
  walk.ancestors.push(value);
  try {
    return redactObject(value, walk);
  } catch {
    // Proxies and toJSON may throw; a log line must not fail because of its content.
    return '[unreadable]';
  } finally {
    walk.ancestors.pop();
  }
};

/** A copy of the fields as plain JSON values: without secrets, without cycles, bounded in depth and size. */
export const redact = (fields: Record<string, unknown>): Plain => {
  const walk: Walk = { ancestors: [fields], valuesLeft: MAX_VALUES };
  return redactEntries(entriesOf(fields), walk);
};
