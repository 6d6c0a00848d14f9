import { parsePlatformAddress } from './platform-address.ts';

/** Possible videos in a text, in order of appearance; each value once. */
export type FoundLinks = {
  /** Ids, the first `maxVideos` unique ones. */
  readonly videoIds: readonly string[];
  /** Links and malformed ids that name no single video. */
  readonly others: readonly { readonly value: string; readonly reason: 'malformed' | 'not_a_video' }[];
  /** The text has more unique videos than `maxVideos`, or too many links; the rest was not read. */
  readonly isTooMany: boolean;
};

/**
 * No address holds these characters unencoded; commas and brackets separate lists and markdown, and other scripts have their own. A
 * scheme begins an address, unless it is the value of a parameter.
 */
const SEPARATORS =
  /[\s"'<>|\\^`{}()[\],;\u00ab\u00bb\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\ufe10-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+|(?<!=)(?=https?:\/\/)/i;
/** What JSON and HTML make of characters; texts inside of texts have them twice. */
const ESCAPE =
  /\\{1,4}(?:u([\da-fA-F]{4})|([nrt/"]))|&(?:amp;){0,2}(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g;
const namedCharacters: Readonly<Record<string, string>> = {
  ...{ amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' },
  ...{ n: '\n', r: '\r', t: '\t', '/': '/', '"': '"' },
};
const MAX_CODE_POINT = 0x10ffff;

const unescapeText = (text: string): string =>
  text.replace(
    ESCAPE,
    (whole, unit?: string, letter?: string, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? Number.parseInt(unit ?? hex ?? '', 16) : Number(decimal);
      if (code <= MAX_CODE_POINT) return String.fromCodePoint(code);
      return namedCharacters[letter ?? name ?? ''] ?? whole;
    },
  );
/** Punctuation that a sentence leaves behind an address. */
const TRAILING = /[.:!?*~]{1,16}$/;
const HOST =
  /(?:https?:\/\/)?(?:[a-z]{1,10}\.)?(?:youtube(?:-nocookie|kids)?\.com|youtu\.be|youtube\.googleapis\.com|ytimg\.com)\.?[/:?]/i;
/** Part of every host and of hardly any word: a cheap first check. */
const HOST_MARK = /youtu|ytimg/i;
/** What is read of a link; the rest is parameters. */
const MAX_LINK_LENGTH = 2_048;
/** An id with the punctuation behind it. */
const MAX_BARE_LENGTH = 32;
/** Shorter words are not meant as ids. */
const MIN_ID_LENGTH = 8;
const MAX_OTHERS = 500;
/** Different links of the platform that are read: the text of a long page has hundreds. */
const MAX_LINKS = 2_000;

const wholeId = /^[A-Za-z0-9_-]{11}$/;
/** Words, numbers and dates that happen to have the characters of an id. */
const prose = /^(?:(?:[A-Z]?[a-z]+(?:[-_][A-Z]?[a-z]+)*|[A-Z]+(?:[-_][A-Z]+)*)[-_]*|[\d-]+(?:_[-_]*)?)$/;
/** Nearly an id: probably meant as one. */
const nearlyAnId = /^(?=.*\d|.*[a-z][A-Z])[A-Za-z0-9_-]{8,16}$/;

type Reading = ReturnType<typeof parsePlatformAddress> | 'malformed' | 'nothing';

/** The characters that shape an address, as the parameter of another one has them. */
const ENCODED = /%(?:2f|3a|3d|3f|26)/gi;

const readLink = (token: string): Reading => {
  const plain = HOST.test(token) ? token : token.replaceAll(ENCODED, decodeURIComponent);
  const at = HOST.exec(plain)?.index;
  if (at === undefined) return 'nothing';
  const link = plain.slice(at, at + MAX_LINK_LENGTH).replace(TRAILING, '');
  return parsePlatformAddress(link) ?? 'malformed';
};

/** A bare id counts if it looks like nothing else, or stands alone on its line. */
const readToken = (token: string, isAlone: boolean, links: Map<string, Reading>): Reading => {
  if (HOST_MARK.test(token)) {
    const link = links.get(token) ?? readLink(token);
    links.set(token, link);
    if (link !== 'nothing') return link;
  }
  if (token.length < MIN_ID_LENGTH || token.length > MAX_BARE_LENGTH) return 'nothing';
  const bare = token.replace(TRAILING, '');
  if (wholeId.test(bare)) return isAlone || !prose.test(bare) ? { kind: 'video', id: bare } : 'nothing';
  return isAlone && nearlyAnId.test(bare) ? 'malformed' : 'nothing';
};

function* splitTokens(text: string): Generator<{ token: string; isAlone: boolean }> {
  let from = 0;
  while (from <= text.length) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length + 1 : end + 1;
    if (line.length < MIN_ID_LENGTH) continue;
    const tokens = line.split(SEPARATORS).filter((token) => token !== '');
    for (const token of tokens) yield { token, isAlone: tokens.length === 1 };
  }
}

/** Finds the videos that a text of any kind names: links of every shape, also inside markup, and bare ids. Linear. */
export const findVideoLinks = (text: string, maxVideos: number): FoundLinks => {
  const ids = new Set<string>();
  const others = new Map<string, 'malformed' | 'not_a_video'>();
  const links = new Map<string, Reading>();
  const isTooMany = () => ids.size > maxVideos || links.size > MAX_LINKS;
  for (const { token, isAlone } of splitTokens(unescapeText(text))) {
    const reading = readToken(token, isAlone, links);
    if (reading !== 'nothing' && reading !== null) {
      if (reading !== 'malformed' && reading.kind === 'video') ids.add(reading.id);
      else if (others.size < MAX_OTHERS)
        others.set(token.slice(0, MAX_LINK_LENGTH), reading === 'malformed' ? reading : 'not_a_video');
    }
    if (isTooMany()) break;
  }
  return {
    videoIds: [...ids].slice(0, maxVideos),
    others: [...others].map(([value, reason]) => ({ value, reason })),
    isTooMany: isTooMany(),
  };
};
