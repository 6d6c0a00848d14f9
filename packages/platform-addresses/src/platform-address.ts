/** What an address or an id of the platform names. */
export type PlatformAddress =
  | { readonly kind: 'video'; readonly id: string }
  | { readonly kind: 'channel'; readonly id: string }
  /** A handle (`@name`), or the path of an older address (`c/Name`, `user/name`, `Name`): only the platform knows its id. */
  | { readonly kind: 'channel_name'; readonly name: string }
  | { readonly kind: 'playlist'; readonly id: string }
  /** A list of our own, by its key without `list:`. */
  | { readonly kind: 'list'; readonly key: string }
  /** Several videos in one address (`watch_videos?video_ids=A,B`), as they stand there. */
  | { readonly kind: 'videos'; readonly ids: readonly string[] }
  /** A page of the platform that is none of these, such as a search. */
  | { readonly kind: 'other' };

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
const pathName = /^[^\s/@?#&=%"'`<>()[\]{}|\\^*,;:!$+~\p{Cc}\p{Cs}]{1,100}$/u;

const siteHosts = new Set([
  ...['youtube.com', 'youtube-nocookie.com', 'youtubekids.com', 'youtubeeducation.com'].flatMap((domain) =>
    ['', 'www.', 'm.', 'music.', 'gaming.', 'tv.', 'consent.', 'studio.', 'img.'].map(
      (label) => label + domain,
    ),
  ),
  ...['youtube.googleapis.com', 'i.ytimg.com', 'img.ytimg.com'],
]);
const shortHosts = new Set(['youtu.be', 'www.youtu.be', 'm.youtu.be']);

/** Path words that an id follows: `/shorts/ID`. */
const idFollows = new Set([
  ...['watch', 'shorts', 'live', 'embed', 'v', 'vi', 'vi_webp', 'e', 'video', 'source'],
]);
/** `/embed/videoseries?list=...` is a playlist, although it has the place of an id. */
const neverAnId = new Set(['videoseries', 'live_stream']);
/** Path words after which a parameter names the source. */
const takesList = new Map([
  ...['', 'playlist', 'watch', 'watch_popup', 'embed', 'course'].map((word) => [word, 'list'] as const),
  ...['view_play_list', 'my_playlists'].map((word) => [word, 'p'] as const),
]);
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
const pages = new Set(
  `watch watch_popup watch_videos results feed hashtag playlist playlists view_play_list my_playlists p course courses
   embed shorts live clip gaming premium about account upload post redirect oembed attribution_link signin m ml trending
   source howyoutubeworks t kids music movies tv channel c user browse video feeds show creators ads jobs index v vi e s
   podcast podcasts playables leanback members shopping live_chat live_chat_replay api get_video_info iframe_api player_api
   opensearch intl yt reporthistory paid_memberships attribution verify_age verify_controversy supported_browsers youtubei
   logout login select_site ptracking generate_204 pagead csi_204 get_endscreen comment_service_ajax share_ajax watch_ajax
   browse_ajax embed_player signup oops account_notifications account_privacy account_advanced my_videos my_subscriptions
   view_all_playlists video_masthead annotations_invideo xml videoplayback sw.js manifest.webmanifest`.split(
    /\s+/,
  ),
);

/** Some programs encode what is encoded. */
const MAX_ENCODINGS = 3;

export const decodeOnce = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not validly encoded: it stands for itself.
    return text;
  }
};

const decode = (text: string): string => {
  let decoded = text;
  for (let times = 0; times < MAX_ENCODINGS && decoded.includes('%'); times += 1) decoded = decodeOnce(decoded);
  return decoded;
};

/** Null if a video is meant and its id is malformed: a 12-character id is never cut to 11. */
const videoAt = (text: string): PlatformAddress | null => {
  const id = leadingId.exec(decode(text))?.[1];
  return id === undefined ? null : { kind: 'video', id };
};

/** Parameters, also of `&amp;` as copied out of HTML and of `#!v=` as of old mobile pages. */
const parametersOf = (url: URL): URLSearchParams =>
  new URLSearchParams(`${url.search.slice(1)}&${url.hash.replace(/^#[!/]*/, '')}`.replaceAll('&amp;', '&'));

/** Without the rest of `=3D`, as mails encode `=`: no value that is an id goes on so long behind it. */
const idIn = (parameters: URLSearchParams, name: string): string | null =>
  parameters.get(name)?.replace(/^3D(?=[\w-]{11})/, '') ?? null;

const wordsOf = (url: URL): string[] => url.pathname.split('/').filter((word) => word !== '');

/** Old addresses leave out the first letters of an id. */
const oldPlaylistId = /^[\dA-F]{16}$/;

const playlistAt = (value: string | null): PlatformAddress | null => {
  const text = decode(value ?? '').replace(/^VL/, '');
  const id = oldPlaylistId.test(text) ? `PL${text}` : text;
  return wholePlaylistId.test(id) ? { kind: 'playlist', id } : null;
};

const videosAt = (value: string | null): PlatformAddress | null => {
  const ids = decode(value ?? '').match(/[^,]+/g) ?? [];
  return ids.length > 1 ? { kind: 'videos', ids } : videoAt(ids[0] ?? '');
};

const namedChannel = (prefix: string, name: string): PlatformAddress =>
  pathName.test(name) ? { kind: 'channel_name', name: prefix + name.normalize('NFC') } : other;

/** The platform ignores case in handles. Some systems decompose accents. */
const handleAt = (text: string): PlatformAddress =>
  text.startsWith('@') && pathName.test(text.slice(1))
    ? { kind: 'channel_name', name: text.normalize('NFC').toLowerCase() }
    : other;

/** What the words of a path name beside videos. */
const readPath = (first: string, second = ''): PlatformAddress => {
  const [one, two] = [decode(first), decode(second)];
  if (one.startsWith('@')) return handleAt(one);
  const id = ['channel', 'browse', 'feed'].includes(one) ? two : '';
  if (wholeChannelId.test(id)) return { kind: 'channel', id };
  if (one === 'browse' && /^(?:VL|MPSP)/.test(two)) return playlistAt(two.replace(/^MPSP/, '')) ?? other;
  if (one === 'p') return playlistAt(two) ?? other;
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
    ? (idIn(parameters, 'v') ?? idIn(parameters, 'vi'))
    : null;
  if (queryId !== null) return videoAt(queryId);
  if (word === 'watch_videos') return videosAt(idIn(parameters, 'video_ids'));
  const listName = takesList.get(word);
  const listId = listName === undefined ? null : idIn(parameters, listName);
  const place = playlistAt(listId) ?? readPath(first, second);
  const isNameAlone = place.kind === 'channel_name' && !/[@/]/.test(place.name);
  return place.kind === 'other' || isNameAlone ? (readPageOfVideo(parameters) ?? place) : place;
};

/** Pages about a video, such as its chat, name it like the page on which it plays. */
const readPageOfVideo = (parameters: URLSearchParams): PlatformAddress | null => {
  const ids = ['v', 'vi', 'video_id'].flatMap((name) => idIn(parameters, name) ?? []);
  return ids.map(videoAt).find((video) => video !== null) ?? null;
};

const readShort = (url: URL): PlatformAddress | null => {
  const [first, second] = wordsOf(url);
  if (first === undefined) return other;
  if (first === 'watch' && second === undefined) return videoAt(parametersOf(url).get('v') ?? '');
  return videoAt(second !== undefined && idFollows.has(first) ? second : first);
};

/** Undoes the encoding of an address that was a parameter. */
const decodeAddress = (text: string): string => {
  let whole = text;
  for (let times = 0; times < MAX_ENCODINGS && /^https?%/i.test(whole); times += 1) whole = decodeOnce(whole);
  return whole.includes('?') ? whole : whole.replace(/%3f/i, '?').replaceAll(/%3d/gi, '=');
};

/** What a URL drops, or takes for a slash: an escape that is not known, behind which a name would be another one. */
const UNKNOWN_ESCAPE = /[\\\n\r\t]/;

/** A translated page has the host of the other one in a word of its own: `www-youtube-com.translate.goog`. */
const untranslatedHost = (host: string): string =>
  host.replace(/^([\w-]{1,63})\.translate\.goog$/, (_all, word: string) =>
    word.replaceAll('-', '.').replaceAll('..', '-'),
  );

const readUrl = (text: string, depth: number): PlatformAddress | null => {
  const plain = decodeAddress(text);
  const url = URL.parse(`https://${plain.replace(webScheme, '').replace(/^\/+/, '')}`);
  if (url === null) return null;
  const host = untranslatedHost(url.hostname.replace(/\.$/, ''));
  const site = siteHosts.has(host) ? readSite(url, depth) : null;
  const address = shortHosts.has(host) ? readShort(url) : site;
  return address?.kind === 'video' || !UNKNOWN_ESCAPE.test(plain) ? address : null;
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

/** Reads an address without anything around it: as `parsePlatformAddress`, but of what stands alone. */
export const readAddress = (input: string): PlatformAddress | null => {
  const bare = readBare(input);
  if (bare !== null) return bare;
  if (!appScheme.test(input)) return readUrl(input, 0);
  const target = input.replace(appScheme, '');
  return videoAt(target) ?? readUrl(target, 0) ?? readUrl(`www.youtube.com/${target}`, 0);
};
