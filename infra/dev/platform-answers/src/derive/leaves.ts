import { createHash } from 'node:crypto';

/** Letters by the script that they take the place of. */
const alphabets: readonly (readonly [RegExp, string])[] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/[A-Z]/, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [/[0-9]/, '0123456789'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшэюя'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/\p{Script=Arabic}/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיכלמנסעפצקרשת'],
  [/\p{Script=Devanagari}/u, 'कखगघचछजझटठडढतथदधनपफबभमयरलवशसह'],
  [/\p{Script=Hangul}/u, '가나다라마바사아자차카타파하'],
  [/\p{Script=Hiragana}/u, 'あいうえおかきくけこさしすせそ'],
  [/\p{Script=Katakana}/u, 'アイウエオカキクケコサシスセソ'],
  [/\p{Script=Han}/u, '山川日月火水木金土人口中小大'],
  [/\p{Script=Latin}/u, 'àéîõüñçåøß'],
  [/[\p{L}\p{N}]/u, 'ɐɓɔɗɘəɛɠɡɢ'],
];

/** One made-up character of the same kind; whatever is no letter and no digit stays. */
const scrambled = (character: string, byte: number): string => {
  const letters = alphabets.find(([pattern]) => pattern.test(character))?.[1];
  if (letters === undefined) return character;
  const others = [...letters].filter((letter) => letter !== character);
  return others[byte % others.length] ?? character;
};

const madeUp = (token: string, attempt: number): string => {
  const characters = [...token];
  const bytes = createHash('shake256', { outputLength: characters.length })
    .update(`${attempt} ${token}`)
    .digest();
  return characters.map((character, at) => scrambled(character, bytes[at] ?? 0)).join('');
};

/** Words, names and ids: what a text is cut into. */
const TOKEN = /[\p{L}\p{M}\p{N}_-]+/gu;
export const tokensOf = (text: string): readonly string[] => text.match(TOKEN) ?? [];

/** Prefixes that say what an id is of, before the id itself; a channel's id stands without its prefix in places. */
const PREFIXED = /^((?:VL)?(?:UC|UULF|UUSH|UULV|UU|PL|OL|RD)|VL)([\w-]{16,})$/;
/** Shorter words of made-up letters may be real names by chance. */
export const MIN_LENGTH = 6;

/** Replaces words, names and ids, the same by the same, by what is none of `originals`. */
export const createReplacer = (originals: ReadonlySet<string>) => {
  const replaced = (token: string): string => {
    const [, prefix, rest] = PREFIXED.exec(token) ?? [];
    if (prefix !== undefined && rest !== undefined) return prefix + replaced(rest);
    for (let attempt = 0; ; attempt += 1) {
      const made = madeUp(token, attempt);
      if (made.length < MIN_LENGTH || !originals.has(made)) return made;
    }
  };
  return (text: string): string => text.replace(TOKEN, replaced);
};
export type Replace = ReturnType<typeof createReplacer>;

/** Keys whose values are words of the protocol, or numbers and times as the platform shows them. */
const PROTOCOL = new Set([
  ...['status', 'style', 'contentType', 'languageCode', 'language_code', 'kind', 'type', 'iconType'],
  ...['wireMagic', 'webPageType', 'visibility', 'captionsInitialState', 'audioTrackId'],
  ...['exp', 'translation_languages', 'published_text'],
]);
const COUNTS = new Set([
  ...['lengthSeconds', 'viewCount', 'lengthText', 'viewCountText', 'shortViewCountText', 'publishedTimeText'],
  ...['duration', 'views', 'index', 'width', 'height', 'maxAgeSeconds'],
]);
const WORD = /^[\w.: +-]{0,80}$/;
/** Marks that readers look for, and that are shorter than the names of fields. */
const MARKS = new Set(['Closed captions', 'No views']);

/** What the platform says of a refusal: in words of ours, with those by which it is recognised. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\ba bot\b/i, 'Prove to us: you are not a bot'],
  [/granted/i, 'Looking needs granted access'],
  [/is private|private video/i, 'Locked: the video is private'],
  [/\bmembers?\b/i, 'Kept for members of some level'],
  [/unavailable/i, 'Alas, it is unavailable'],
  [/does not exist/i, 'There is none'],
];
const PHRASED = new Set(['reason', 'subreason', 'messages', 'alerts']);

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;
const MOVED_BY_MS = 37 * 86_400_000 + 11_131_000;

/** The same form, some weeks earlier. */
const movedDate = (date: string): string => {
  const moved = new Date(Date.parse(date) - MOVED_BY_MS).toISOString();
  const zone = /(?:Z|[+-]\d{2}:\d{2})$/.exec(date)?.[0] ?? '';
  return date.includes('T') ? moved.slice(0, 19) + (zone === 'Z' ? 'Z' : '+00:00') : moved.slice(0, 10);
};

const ADDRESS = /^((?:https?:)?\/\/[^/?#]+)?(\/[^?#]*)?(\?[^#]*)?(#.*)?$/;
const PLATFORM = /^(?:https?:)?\/\/(?:(?:www|consent)\.youtube|www\.google|i\d?\.ytimg|yt3\.ggpht)\.com$/;
const SEGMENTS = new Set([
  ...['', 'watch', 'shorts', 'channel', 'user', 'c', 'playlist', 'api', 'timedtext', 'vi', 'v', 's', 'sorry'],
  ...[
    'feeds',
    'videos.xml',
    'hqdefault.jpg',
    'mqdefault.jpg',
    'maxresdefault.jpg',
    'sddefault.jpg',
    'default.jpg',
  ],
]);
const PARAMETERS = new Set([
  ...['fmt', 'kind', 'lang', 'tlang', 'key', 'exp', 'caps', 'opi', 'xoaf', 'hl', 'expire', 'sparams'],
]);

const address = (text: string, replace: Replace): string =>
  text.replace(ADDRESS, (_, host = '', path = '', query = '', hash = '') => {
    const ownHost = PLATFORM.test(host) ? host : host.replace(/\/\/.*/, (name: string) => replace(name));
    const segments = path
      .split('/')
      .map((segment: string) => (SEGMENTS.has(segment) ? segment : replace(segment)));
    const parameters = query.replace(
      /([?&])([^=&]*)=?([^&]*)/g,
      (whole: string, mark: string, name: string, value: string) =>
        PARAMETERS.has(name) || value === '' ? whole : `${mark}${name}=${replace(value)}`,
    );
    return ownHost + segments.join('/') + parameters + replace(hash);
  });

const isAddress = (text: string): boolean => /^(?:https?:)?\/\/\S+$|^\/\S*$/.test(text);

const TRACK = /^(a?\.[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)(?:\.([\w-]+))?$/;
const trackId = (text: string, replace: Replace): string =>
  text.replace(TRACK, (_, code, name) => (name === undefined ? code : `${code}.${replace(name)}`));

const FEED_ID = /^(yt:(?:video|channel|playlist):)(.+)$/;

/** The made-up value of one text, by the keys that lead to it. */
export const leaf = (text: string, path: readonly string[], replace: Replace): string => {
  const key = path.at(-1) ?? '';
  if (path.some((name) => COUNTS.has(name)) || MARKS.has(text)) return text;
  if (PROTOCOL.has(key) && WORD.test(text)) return text;
  if (path.some((name) => PHRASED.has(name))) {
    const phrase = phrases.find(([pattern]) => pattern.test(text))?.[1];
    if (phrase !== undefined) return phrase;
  }
  if (DATE.test(text)) return movedDate(text);
  if (key === 'vssId' || key === 'vss_id') return trackId(text, replace);
  const [, prefix, id] = FEED_ID.exec(text) ?? [];
  if (prefix !== undefined && id !== undefined) return prefix + replace(id);
  return isAddress(text) ? address(text, replace) : replace(text);
};
