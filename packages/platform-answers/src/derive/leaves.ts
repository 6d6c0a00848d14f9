import type { Replace } from './tokens.ts';

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
  [/granted/i, 'Only whoever was granted access may look'],
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
