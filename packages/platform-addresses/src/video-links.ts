import { isMeantAsId, type Place } from './bare-ids.ts';
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
/** Nearly an id: probably meant as one. */
const nearlyAnId = /^(?=.*\d|.*[a-z][A-Z])[A-Za-z0-9_-]{8,16}$/;

type Reading = ReturnType<typeof readLink>;

/** A word of a text, whether it is all of its line, and what stands around it. */
type Token = { readonly token: string; readonly isAlone: boolean; readonly findPlace: () => Place };

/** A bare id counts if it stands alone on its line, or where and how ids are written. */
const readToken = ({ token, isAlone, findPlace }: Token, links: Map<string, Reading>): Reading => {
  const link = links.get(token) ?? readLink(token);
  if (link !== 'nothing') {
    links.set(token, link);
    return link;
  }
  if (token.length < MIN_ID_LENGTH || token.length > MAX_BARE_LENGTH) return 'nothing';
  const bare = trimEnd(token);
  if (wholeId.test(bare))
    return isAlone || isMeantAsId(bare, findPlace()) ? { kind: 'video', id: bare } : 'nothing';
  return isAlone && nearlyAnId.test(bare) ? 'malformed' : 'nothing';
};

const withSeparators = new RegExp(`(${SEPARATORS.source})`, SEPARATORS.flags);
const SIGN = /^[=:]{1,2}$/;

function* splitLine(line: string): Generator<Token> {
  const parts = line.split(withSeparators);
  const words = parts.flatMap((part, at) => (at % 2 === 0 && part !== '' ? [at] : []));
  const wordAt = (place: number) => parts[words[place] ?? -1] ?? '';
  let isList: boolean | undefined;
  for (const [place, at] of words.entries()) {
    const findPlace = (): Place => {
      isList ??= words.every((index) => wholeId.test(parts[index] ?? ''));
      const previous = wordAt(place - 1);
      return {
        before: parts[at - 1] ?? '',
        after: parts[at + 1] ?? '',
        previous: SIGN.test(previous) ? wordAt(place - 2) + previous : previous,
        next: wordAt(place + 1),
        isList,
      };
    };
    yield { token: wordAt(place), isAlone: words.length === 1, findPlace };
  }
}

function* splitTokens(text: string): Generator<Token> {
  let from = 0;
  while (from <= text.length) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length + 1 : end + 1;
    if (line.length >= MIN_ID_LENGTH) yield* splitLine(line);
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
  for (const found of splitTokens(undoEscapes(text).replace(ESCAPED_SPACE, '\n'))) {
    const { token } = found;
    const reading = readToken(found, links);
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
