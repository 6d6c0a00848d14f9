import { decodeOnce } from './platform-address.ts';

/** What LaTeX writes in place of a character, and before one that it would read as its own. */
const COMMAND =
  /\{?\\(textunderscore|under|textbackslash)(?![a-zA-Z])(?:\{\}| )?\}?|\\(?:string|protect)(?=[\\_~#%&])/g;
/** What JSON, JavaScript and HTML make of characters; texts inside of texts have them twice. */
const ESCAPE =
  /\\{1,4}(?:u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|x([\da-fA-F]{2}))|&(?:amp;){0,2}(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g;
const namedCharacters: Readonly<Record<string, string>> = {
  ...{ amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ', lowbar: '_', period: '.' },
  ...{ commat: '@', colon: ':', sol: '/', quest: '?', equals: '=', num: '#', percnt: '%' },
};
const MAX_CODE_POINT = 0x10ffff;
/** In Markdown, TeX, typst, shells and regular expressions a mark behind a backslash is the mark. */
const ESCAPED_MARK = /\\{1,4}([!-/:-@[\]^_`{-~])/g;
/** As reference managers protect single characters: `{\_}`, `$\_$`. */
const PROTECTED_MARK = /\{([_~#%&-])\}|\$_\$/g;
/** A backslash that a program encoded with the address that it stood in. */
const ENCODED_BACKSLASH = /%(?:25){0,2}5c/gi;
/** Mails that are encoded as quoted-printable: `=3D` is `=`, and a line goes on behind `=`. */
const SOFT_BREAK = /=\r?\n/g;

/** Its commas stand inside of an address, and everywhere else between two. */
const VIDEO_LIST = /video_ids=[\w%,-]+/g;

/** What mail filters put around an address. Their hosts end alike; the parts behind the address are signatures. */
const DEFENSE_V2 =
  /(?:https?:\/\/)?urldefense(?:\.proofpoint)?\.(?:com|us)\/v2\/url\?u=([^&\s"'<>]+)(?:&[^\s"'<>)\]]*)?/gi;
const DEFENSE_V3 = /(?:https?:\/\/)?urldefense(?:\.proofpoint)?\.(?:com|us)\/v3\/__/i;
/** The characters that `*` stands for, and the signature. */
const V3_END = /^([\w-]*)!![^\s"'<>)\]]*/;
const V3_RUNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** `https://` or `http://` in base64, as two filters and a search engine (`a1`) have it. */
const BASE64_ADDRESS = /(?:a1)?(aHR0c(?:HM6Ly|DovL)[\w+/-]{8,2000})={0,2}/g;

const decodeBase64 = (text: string): string => {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    // Cut off inside of a character: nothing is in it.
    return '';
  }
};

/** `*` is one of the replaced characters, `**A` two of them, `**B` three. */
const decodeV3 = (address: string, replaced: string): string => {
  const characters = [...decodeBase64(replaced)];
  let next = 0;
  return address.replace(/\*(?:\*([\w-]))?/g, (mark, run?: string) => {
    const from = next;
    next += run === undefined ? 1 : V3_RUNS.indexOf(run) + 2;
    return characters.slice(from, next).join('') || mark;
  });
};

const unwrapV3 = (part: string): string => {
  const end = part.indexOf('__;');
  const [tail, replaced] = V3_END.exec(part.slice(end + 3)) ?? [];
  if (end < 0 || tail === undefined || replaced === undefined) return part;
  return `"${decodeV3(part.slice(0, end), replaced)}"${part.slice(end + 3 + tail.length)}`;
};

const readCharacter = (whole: string, ...codes: (string | undefined)[]): string => {
  const [unit, point, byte, decimal, hex, name] = codes;
  const code =
    decimal === undefined ? Number.parseInt(unit ?? point ?? byte ?? hex ?? '', 16) : Number(decimal);
  if (code <= MAX_CODE_POINT) return String.fromCodePoint(code);
  return namedCharacters[name ?? ''] ?? whole;
};

/**
 * Undoes in a text what programs do to the addresses in it: escapes of JSON, HTML, Markdown, LaTeX and mails, and the wrapping of mail filters.
 * A backslash that stays is no escape that is known. Linear.
 */
export const undoEscapes = (text: string): string => {
  const characters = (text.includes('=3D') ? text.replace(SOFT_BREAK, '') : text)
    .replace(ENCODED_BACKSLASH, '\\')
    .replace(COMMAND, (_all, name?: string) =>
      name === undefined ? '' : name === 'textbackslash' ? '\\' : '_',
    )
    .replace(ESCAPE, readCharacter)
    .replace(ESCAPED_MARK, '$1')
    .replace(PROTECTED_MARK, (_all, mark = '_') => mark)
    .replace(VIDEO_LIST, (list) => list.replaceAll(',', '%2C'));
  const [before = '', ...wrapped] = characters.split(DEFENSE_V3);
  return (before + wrapped.map(unwrapV3).join(''))
    .replace(
      DEFENSE_V2,
      (_all, address: string) => `"${decodeOnce(address.replaceAll('-', '%').replaceAll('_', '/'))}"`,
    )
    .replace(BASE64_ADDRESS, (_all, address: string) => `"${decodeBase64(address)}"`);
};
