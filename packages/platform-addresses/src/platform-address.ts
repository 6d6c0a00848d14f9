/** What an address or an id of the platform names. */
export type PlatformAddress =
  | { readonly kind: 'video'; readonly id: string }
  | { readonly kind: 'channel'; readonly id: string }
  /** A handle (`@name`), or the path of an older address (`c/Name`, `user/name`, `Name`): only the platform knows its id. */
  | { readonly kind: 'channel_name'; readonly name: string }
  | { readonly kind: 'playlist'; readonly id: string }
  /** A list of our own, by its key without `list:`. */
  | { readonly kind: 'list'; readonly key: string }
  /** A page of the platform that is none of these, such as a search. */
  | { readonly kind: 'other' };

const MAX_ADDRESS_LENGTH = 2_048;
/** Spaces, quotes, brackets and invisible characters that people copy with an address, and the punctuation behind it. */
const MAX_AROUND = 32;
const BEFORE = /^[\s\p{Cf}\p{Pi}\p{Ps}"'<]{1,32}/u;
const AFTER =
  /[\s\p{Cf}\p{Pf}\p{Pe}\p{Pi}"'>.,;:!?\u2026\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]{1,32}$/u;

const wholeId = /^[A-Za-z0-9_-]{11}$/;
/** An id with the text that people leave behind it (`ID&t=5`, `ID).`), but never the start of a longer word. */
const leadingId = /^([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])/;
const webScheme = /^(?:https?|intent):\/*/i;
const appScheme = /^(?:vnd\.)?youtube:\/*/i;
const wholeChannelId = /^UC[\w-]{22}$/;
const wholePlaylistId = /^[\w-]{2,100}$/;
/** As they stand alone; in an address any id may follow `list=`. */
const barePlaylistId = /^(?:PL|UU|OL|FL|RD|VL)[\w-]{14,98}$/;
const listKey = /^list:([\w-]{1,64})$/;
/** Letters of any script; the platform gives no longer ones. */
const handle = /^@[^\s/@?#&=\p{Cc}\p{Cs}]{1,100}$/u;
const pathName = /^[^\s/@?#&=\p{Cc}\p{Cs}]{1,100}$/u;

const siteHosts = new Set([
  ...['youtube.com', 'youtube-nocookie.com', 'youtubekids.com'].flatMap((domain) =>
    ['', 'www.', 'm.', 'music.', 'gaming.', 'tv.', 'consent.', 'studio.', 'img.'].map(
      (label) => label + domain,
    ),
  ),
  ...['youtube.googleapis.com', 'i.ytimg.com', 'img.ytimg.com'],
]);
/** Hosts that only pass a reader on, with the parameter that carries the address. */
const forwarders: Readonly<Record<string, string>> = {
  'google.com': 'q',
  'www.google.com': 'q',
  'accounts.google.com': 'continue',
};
const shortHosts = new Set(['youtu.be', 'www.youtu.be', 'm.youtu.be']);

/** Path words that an id follows: `/shorts/ID`. */
const idFollows = new Set([
  ...['watch', 'shorts', 'live', 'embed', 'v', 'vi', 'vi_webp', 'e', 'video', 'source'],
]);
/** `/embed/videoseries?list=...` is a playlist, although it has the place of an id. */
const neverAnId = new Set(['videoseries', 'live_stream']);
/** Path words after which `list=` names the source. */
const takesList = new Set(['', 'playlist', 'watch', 'watch_popup', 'embed']);
/** Pages that carry another address in a parameter. */
const wrappers: Readonly<Record<string, string>> = {
  attribution_link: 'u',
  oembed: 'url',
  redirect: 'q',
  signin: 'next',
  m: 'continue',
  ml: 'continue',
};

const other: PlatformAddress = { kind: 'other' };

/** First words of paths that are pages of the platform and never a channel's own name. */
const pages = new Set([
  ...['watch', 'watch_popup', 'results', 'feed', 'hashtag', 'playlist', 'embed', 'shorts', 'live', 'clip'],
  ...['gaming', 'premium', 'about', 'account', 'upload', 'post', 'redirect', 'oembed', 'attribution_link'],
  ...['signin', 'm', 'ml', 'trending', 'source', 'howyoutubeworks', 't', 'kids', 'music', 'movies', 'tv'],
  ...[
    'channel',
    'c',
    'user',
    'browse',
    'video',
    'feeds',
    'show',
    'creators',
    'ads',
    'jobs',
    'index',
    'v',
    'vi',
    'e',
    's',
  ],
]);

/** Null if a video is meant and its id is malformed: a 12-character id is never cut to 11. */
const videoAt = (text: string): PlatformAddress | null => {
  const id = leadingId.exec(text)?.[1];
  return id === undefined ? null : { kind: 'video', id };
};

/** Parameters, also of `&amp;` as copied out of HTML and of `#!v=` as of old mobile pages. */
const parametersOf = (url: URL): URLSearchParams =>
  new URLSearchParams(`${url.search.slice(1)}&${url.hash.replace(/^#[!/]*/, '')}`.replaceAll('&amp;', '&'));

const wordsOf = (url: URL): string[] => url.pathname.split('/').filter((word) => word !== '');

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not validly encoded: it stands for itself.
    return text;
  }
};

const playlistAt = (value: string | null): PlatformAddress | null => {
  const id = value?.replace(/^VL/, '') ?? '';
  return wholePlaylistId.test(id) ? { kind: 'playlist', id } : null;
};

const namedChannel = (prefix: string, name: string): PlatformAddress =>
  pathName.test(name) ? { kind: 'channel_name', name: prefix + name.normalize('NFC') } : other;

/** The platform ignores case in handles. Some systems decompose accents. */
const handleAt = (text: string): PlatformAddress =>
  handle.test(text) ? { kind: 'channel_name', name: text.normalize('NFC').toLowerCase() } : other;

/** What the words of a path name beside videos. */
const readPath = (first: string, second = ''): PlatformAddress => {
  const [one, two] = [decode(first), decode(second)];
  if (one.startsWith('@')) return handleAt(one);
  const id = ['channel', 'browse', 'feed'].includes(one) ? two : '';
  if (wholeChannelId.test(id)) return { kind: 'channel', id };
  if (one === 'browse' && two.startsWith('VL')) return playlistAt(two) ?? other;
  if (one === 'c' || one === 'user') return namedChannel(`${one}/`, two);
  return one === '' || pages.has(one.toLowerCase()) || one.includes('.') ? other : namedChannel('', one);
};

/** The Atom feed of a source. */
const readFeed = (parameters: URLSearchParams): PlatformAddress => {
  const id = parameters.get('channel_id') ?? '';
  if (wholeChannelId.test(id)) return { kind: 'channel', id };
  const user = parameters.get('user');
  return playlistAt(parameters.get('playlist_id')) ?? (user === null ? other : namedChannel('user/', user));
};

/** Addresses inside addresses that are read. */
const MAX_WRAPPERS = 3;

const readSite = (url: URL, depth: number): PlatformAddress | null => {
  const [first = '', second] = wordsOf(url);
  const word = first.toLowerCase();
  const parameters = parametersOf(url);
  const inner = Object.hasOwn(wrappers, word) ? parameters.get(wrappers[word] as string) : null;
  if (inner !== null) {
    const address = inner.startsWith('/') ? url.hostname + inner : inner;
    return depth >= MAX_WRAPPERS ? other : (readUrl(address, depth + 1) ?? other);
  }
  if (word === 'feeds') return readFeed(parameters);
  if (idFollows.has(word) && second !== undefined)
    return neverAnId.has(second) ? (playlistAt(parameters.get('list')) ?? other) : videoAt(second);
  const queryId = ['', 'watch', 'watch_popup'].includes(word)
    ? (parameters.get('v') ?? parameters.get('vi'))
    : null;
  if (queryId !== null) return videoAt(queryId);
  return (takesList.has(word) ? playlistAt(parameters.get('list')) : null) ?? readPath(first, second);
};

const readShort = (url: URL): PlatformAddress | null => {
  const [first, second] = wordsOf(url);
  if (first === undefined) return other;
  if (first === 'watch' && second === undefined) return videoAt(parametersOf(url).get('v') ?? '');
  return videoAt(second !== undefined && idFollows.has(first) ? second : first);
};

/** Undoes the encoding of an address that was a parameter, or was escaped for a shell. */
const unescapeUrl = (text: string): string => {
  const whole = /^https?%3a/i.test(text) ? decode(text) : text.replaceAll(/\\([?=&])/g, '$1');
  return whole.includes('?') ? whole : whole.replace(/%3f/i, '?').replaceAll(/%3d/gi, '=');
};

const readUrl = (text: string, depth: number): PlatformAddress | null => {
  const plain = unescapeUrl(text);
  const url = URL.parse(`https://${plain.replace(webScheme, '').replace(/^\/+/, '')}`);
  if (url === null) return null;
  const host = url.hostname.replace(/\.$/, '');
  if (shortHosts.has(host)) return readShort(url);
  const innerUrl = Object.hasOwn(forwarders, host) ? url.searchParams.get(forwarders[host] as string) : null;
  if (innerUrl !== null && depth < MAX_WRAPPERS) return readUrl(innerUrl, depth + 1);
  return siteHosts.has(host) ? readSite(url, depth) : null;
};

const readBare = (text: string): PlatformAddress | null => {
  if (wholeId.test(text)) return { kind: 'video', id: text };
  if (wholeChannelId.test(text)) return { kind: 'channel', id: text };
  if (barePlaylistId.test(text)) return playlistAt(text);
  if (text.startsWith('@')) return handleAt(text);
  if (!text.startsWith('list:')) return null;
  const key = listKey.exec(text)?.[1];
  return key === undefined ? other : { kind: 'list', key };
};

/**
 * Reads an address of any shape that the platform has used, a bare id, a handle or a list key. An address of a video
 * inside a playlist names the video. Null is none of the platform's, or a video whose id is malformed. Linear in the length.
 */
export const parsePlatformAddress = (text: string): PlatformAddress | null => {
  if (text.length > MAX_ADDRESS_LENGTH + 2 * MAX_AROUND) return null;
  const input = text.replace(BEFORE, '').replace(AFTER, '');
  if (input.length === 0 || input.length > MAX_ADDRESS_LENGTH) return null;
  const bare = readBare(input);
  if (bare !== null) return bare;
  if (!appScheme.test(input)) return readUrl(input, 0);
  const target = input.replace(appScheme, '');
  return videoAt(target) ?? readUrl(target, 0) ?? readUrl(`www.youtube.com/${target}`, 0);
};
