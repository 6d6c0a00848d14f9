/** What an address leads to: one video, or something else of the platform (a channel, a playlist, a search). */
export type VideoAddress = { readonly kind: 'video'; readonly id: string } | { readonly kind: 'other' };

const LONGEST_ADDRESS = 2_048;

const wholeId = /^[A-Za-z0-9_-]{11}$/;
/** An id with whatever people leave behind it (`ID&t=5`, `ID).`), but never the start of a longer word. */
const leadingId = /^([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])/;
const webScheme = /^https?:\/*/i;
const appScheme = /^(?:vnd\.)?youtube:\/*/i;
/** Handles, channel ids, playlist ids and list keys as they stand alone. */
const bareOther = /^(?:@[^\s/]{1,100}|UC[\w-]{22}|(?:PL|UU|OL|FL|RD)[\w-]{14,98}|list:.+)$/;

const siteHosts = new Set([
  ...['youtube.com', 'youtube-nocookie.com', 'youtubekids.com'].flatMap((domain) =>
    ['', 'www.', 'm.', 'music.', 'gaming.', 'tv.', 'consent.'].map((label) => label + domain),
  ),
  'youtube.googleapis.com',
]);
const shortHosts = new Set(['youtu.be', 'www.youtu.be', 'm.youtu.be']);

/** Path words that an id follows: `/shorts/ID`. */
const idFollows = new Set(['watch', 'shorts', 'live', 'embed', 'v', 'vi', 'e']);
/** `/embed/videoseries?list=...` is a playlist although it stands where an id does. */
const neverAnId = new Set(['videoseries', 'live_stream']);
/** Pages that carry another address in a parameter. */
const wrappers: Readonly<Record<string, string>> = {
  attribution_link: 'u',
  oembed: 'url',
  redirect: 'q',
  signin: 'next',
  m: 'continue',
  ml: 'continue',
};

const other: VideoAddress = { kind: 'other' };

/** Null where a video is meant and its id is not one: a 12-character id is never cut to 11. */
const videoAt = (text: string): VideoAddress | null => {
  const id = leadingId.exec(text)?.[1];
  return id === undefined ? null : { kind: 'video', id };
};

/** Parameters, also of `&amp;` as copied out of HTML and of `#!v=` as of old mobile pages. */
const parametersOf = (url: URL): URLSearchParams =>
  new URLSearchParams(`${url.search.slice(1)}&${url.hash.replace(/^#[!/]*/, '')}`.replaceAll('&amp;', '&'));

const wordsOf = (url: URL): string[] => url.pathname.split('/').filter((word) => word !== '');

const readSite = (url: URL, isInner: boolean): VideoAddress | null => {
  const [first = '', second] = wordsOf(url);
  const word = first.toLowerCase();
  const parameters = parametersOf(url);
  const inner = Object.hasOwn(wrappers, word) ? parameters.get(wrappers[word] as string) : null;
  if (inner !== null) {
    const address = inner.startsWith('/') ? url.hostname + inner : inner;
    return isInner ? other : (readUrl(address, true) ?? other);
  }
  if (idFollows.has(word) && second !== undefined) return neverAnId.has(second) ? other : videoAt(second);
  const named = ['', 'watch', 'watch_popup'].includes(word)
    ? (parameters.get('v') ?? parameters.get('vi'))
    : null;
  return named === null ? other : videoAt(named);
};

const readShort = (url: URL): VideoAddress | null => {
  const [first, second] = wordsOf(url);
  if (first === undefined) return other;
  return videoAt(second !== undefined && idFollows.has(first) ? second : first);
};

const readUrl = (text: string, isInner: boolean): VideoAddress | null => {
  const plain = text.includes('?') ? text : text.replace(/%3f/i, '?').replaceAll(/%3d/gi, '=');
  const url = URL.parse(`https://${plain.replace(webScheme, '').replace(/^\/+/, '')}`);
  if (url === null) return null;
  const host = url.hostname.replace(/\.$/, '');
  if (shortHosts.has(host)) return readShort(url);
  return siteHosts.has(host) ? readSite(url, isInner) : null;
};

/**
 * Reads a video's address of any shape that the platform has used, or a bare id. `other` is the platform's too but
 * names no single video; null is none of the platform's, or a video whose id is malformed. Linear in the length.
 */
export const parseVideoAddress = (text: string): VideoAddress | null => {
  const given = text.trim().replace(/^<(.*)>$/s, '$1');
  if (given.length === 0 || given.length > LONGEST_ADDRESS) return null;
  if (wholeId.test(given)) return { kind: 'video', id: given };
  if (bareOther.test(given)) return other;
  if (!appScheme.test(given)) return readUrl(given, false);
  const rest = given.replace(appScheme, '');
  return videoAt(rest) ?? readUrl(rest, false);
};
