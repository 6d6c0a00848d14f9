import { undoEscapes } from './escapes.ts';
import { MAX_LINK_LENGTH, readLink, SEPARATORS, trimEnd } from './links.ts';

/** Possible videos in a text, in order of appearance; each value once. */
export type FoundLinks = {
  /** Ids, the first `maxVideos` unique ones. */
  readonly videoIds: readonly string[];
  /** Links and malformed ids that name no single video. */
  readonly others: readonly { readonly value: string; readonly reason: 'malformed' | 'not_a_video' }[];
  /** The text has more unique videos than `maxVideos`, or too many links; the rest was not read. */
  readonly isTooMany: boolean;
};

/** Line breaks and tabs, as JSON writes them. */
const ESCAPED_SPACE = /\\{1,4}[nrt]/g;
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

type Reading = ReturnType<typeof readLink>;

/** A bare id counts if it looks like nothing else, or stands alone on its line. */
const readToken = (token: string, isAlone: boolean, links: Map<string, Reading>): Reading => {
  const link = links.get(token) ?? readLink(token);
  if (link !== 'nothing') {
    links.set(token, link);
    return link;
  }
  if (token.length < MIN_ID_LENGTH || token.length > MAX_BARE_LENGTH) return 'nothing';
  const bare = trimEnd(token);
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
  const addOther = (value: string, reason: 'malformed' | 'not_a_video') => {
    if (others.size < MAX_OTHERS) others.set(value.slice(0, MAX_LINK_LENGTH), reason);
  };
  for (const { token, isAlone } of splitTokens(undoEscapes(text).replace(ESCAPED_SPACE, '\n'))) {
    const reading = readToken(token, isAlone, links);
    if (reading === 'nothing') continue;
    if (reading === 'malformed') addOther(token, reading);
    else if (reading.kind === 'video') ids.add(reading.id);
    else if (reading.kind !== 'videos') addOther(token, 'not_a_video');
    else for (const id of reading.ids) wholeId.test(id) ? ids.add(id) : addOther(id, 'malformed');
    if (isTooMany()) break;
  }
  return {
    videoIds: [...ids].slice(0, maxVideos),
    others: [...others].map(([value, reason]) => ({ value, reason })),
    isTooMany: isTooMany(),
  };
};
