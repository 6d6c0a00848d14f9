import { createHash } from 'node:crypto';
import { secretNames } from '@tds/contracts';

export const REDACTED = '[redacted]';

/** Longest text that is searched; a secret that starts inside the part that is shown is recognised up to here. */
const SEARCHED_CHARACTERS = 32_768;
const EMAIL_HASH_CHARACTERS = 8;

const ours = { prefixes: secretNames.prefixes.join('|'), cookies: secretNames.cookies.join('|') };

/** One look decides for most texts that nothing below can match. */
const suspicious = new RegExp(
  `${ours.prefixes}|${ours.cookies}|bearer|basic|@|password|passwd|secret|token|cookie|api_?key|authorization|signature|code`,
  'i',
);

type Rule = readonly [pattern: RegExp, replacement: string | ((match: string) => string)];

/**
 * An address becomes the start of its SHA-256: lines about one person can be found together, nobody is named. Who has
 * the address can look for it; who has only the log cannot read it off.
 */
const hashEmail = (email: string): string =>
  `[email ${createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, EMAIL_HASH_CHARACTERS)}]`;

/** Every repetition is bounded, so that hostile text costs linear time. */
const rules: readonly Rule[] = [
  [new RegExp(`(${ours.prefixes})[0-9a-z+/=]{6,}`, 'gi'), `$1${REDACTED}`],
  [/\b(bearer|basic)\s{1,8}[^\s"',;]+/gi, `$1 ${REDACTED}`],
  [new RegExp(`(${ours.cookies})\\s?=\\s?[^;\\s"',]+`, 'gi'), `$1=${REDACTED}`],
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
  const end = Math.max(
    text.lastIndexOf(' ', SEARCHED_CHARACTERS),
    text.lastIndexOf('\n', SEARCHED_CHARACTERS),
  );
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
