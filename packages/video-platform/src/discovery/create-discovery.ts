import { channelId } from '@tds/contracts';
import { broken, meanings, RefusedAnswer, refusal } from '../classification/index.ts';
import { guarded, PlatformError, platformError } from '../errors/platform-error.ts';
import { inside, parseAnswer } from '../reading/index.ts';
import { createEngine, type Engine, openExits, toSource } from '../serving/index.ts';
import type { Call, VideoPlatformOptions } from '../types.ts';
import { ask, pageRequest } from './ask.ts';
import { webClient, witnesses } from './clients.ts';
import { readFeed } from './feed.ts';
import { readListing } from './listing.ts';
import { lookUpVideo } from './look-up-video.ts';
import { readSearch } from './search.ts';
import type { ListedVideo, Page, SearchItem, SearchQuery, SearchType } from './types.ts';
import { stringAt } from './web-pages.ts';

/** The target of an address: a channel, or another address to resolve. */
type ResolvedAddress = { readonly channelId: string } | { readonly url: string };

/** Throws `source_not_found` if the address exists but is not a channel's. */
export const readResolved = (body: string): ResolvedAddress => {
  const answer: unknown = parseAnswer(body);
  const endpoint = inside(answer, 'endpoint');
  if (typeof endpoint !== 'object' || endpoint === null) throw new RefusedAnswer(broken('no_endpoint'));
  const result = channelId.safeParse(inside(endpoint, 'browseEndpoint', 'browseId'));
  if (result.success) return { channelId: result.data };
  const url = stringAt(endpoint, 'urlEndpoint', 'url');
  if (url !== null) return { url };
  throw new RefusedAnswer(refusal('no_channel', meanings.sourceGone));
};

export type DiscoveryOptions = Omit<VideoPlatformOptions, 'poToken'>;

/** The `params` of a search by type, with the field that skips the notice before results. */
const searchParams: Readonly<Record<SearchType, string>> = {
  video: 'EgIQAfABAQ%3D%3D',
  channel: 'EgIQAvABAQ%3D%3D',
  playlist: 'EgIQA_ABAQ%3D%3D',
};
/** The search tab of a channel. */
const CHANNEL_SEARCH = 'EgZzZWFyY2jyBgQKAloA';
/** Also lists unavailable videos, which are marked and left out here. */
const WHOLE_PLAYLIST = 'wgYCCAA%3D';

const SEARCH_PATH = '/youtubei/v1/search?prettyPrint=false';
const BROWSE_PATH = '/youtubei/v1/browse?prettyPrint=false';
const RESOLVE_PATH = '/youtubei/v1/navigation/resolve_url?prettyPrint=false';

/** The platform redirects an old address to a newer one once; more redirects would be a loop. */
const MAX_REDIRECTIONS = 3;
/** The host of all addresses, whatever origin is asked. */
const SITE = 'https://www.youtube.com';

const withOmitted = <Item>(page: Page<Item>) => ({ value: page, omitted: page.omitted });

async function resolveChannel(engine: Engine, name: string, call: Call): Promise<string> {
  let url = `${SITE}/${encodeURI(name)}`;
  for (let redirections = 0; redirections < MAX_REDIRECTIONS; redirections += 1) {
    const read = (body: string) => ({ value: readResolved(body), omitted: 0 });
    const request = pageRequest(RESOLVE_PATH, { url });
    const target = await ask(engine, { endpoint: 'resolve_url', request, subject: name, read }, call);
    if ('channelId' in target) return target.channelId;
    url = target.url;
  }
  throw platformError('source_not_found');
}

const searchBody = ({ query, type, channelId }: SearchQuery, token: string | null): object => {
  if (token !== null) return { continuation: token };
  return channelId === null
    ? { query, params: searchParams[type] }
    : { browseId: channelId, params: CHANNEL_SEARCH, query };
};

const search = (
  engine: Engine,
  searchQuery: SearchQuery,
  token: string | null,
  call: Call,
): Promise<Page<SearchItem>> =>
  ask(
    engine,
    {
      endpoint: searchQuery.channelId === null ? 'search' : 'browse',
      request: pageRequest(
        searchQuery.channelId === null ? SEARCH_PATH : BROWSE_PATH,
        searchBody(searchQuery, token),
      ),
      subject: searchQuery.query,
      read: (body) => withOmitted(readSearch(body, searchQuery.type)),
    },
    call,
  );

const listBody = (playlistId: string, token: string | null): object =>
  token === null ? { browseId: `VL${playlistId}`, params: WHOLE_PLAYLIST } : { continuation: token };

/** A token that leads nowhere, even when it is asked again, ends the list; the page says that something is missing. */
const emptyPage: Page<ListedVideo> = { items: [], next: null, omitted: 1 };

const isNotFound = (thrown: unknown): boolean =>
  thrown instanceof PlatformError && thrown.code === 'source_not_found';

const listPage = async (
  engine: Engine,
  playlistId: string,
  token: string | null,
  call: Call,
): Promise<Page<ListedVideo>> => {
  const read = (body: string) => {
    const value = readListing(body);
    if (value === null && token === null) throw new RefusedAnswer(broken('no_list'));
    return { value, omitted: (value ?? emptyPage).omitted };
  };
  const request = pageRequest(BROWSE_PATH, listBody(playlistId, token));
  const question = { endpoint: 'browse' as const, subject: playlistId, request, read };
  const once = () =>
    ask(engine, question, call).catch((thrown: unknown) => {
      // The source was there a page ago.
      if (token === null || !isNotFound(thrown)) throw thrown;
      return null;
    });
  return (await once()) ?? (await once()) ?? emptyPage;
};

/**
 * Opens the part of the adapter that finds videos: channels by name, listings, searches, feeds. Every failure is a PlatformError. Its
 * connections keep the process alive until `close`.
 */
export const createDiscovery = (options: DiscoveryOptions) => {
  const exits = openExits(options);
  const source = toSource(options.strategies);
  const web = webClient(source);
  const engine = createEngine({ ...options, strategies: web }, exits);
  const players = createEngine({ ...options, strategies: witnesses(source) }, exits);
  // Feeds fail on their own days, so they have circuits of their own.
  const feeds = createEngine({ ...options, strategies: web }, exits);
  return {
    /**
     * The id of the channel behind a handle or the path of an older address (`@name`, `c/Name`, `user/name`, `Name`).
     * Throws `source_not_found` if no channel has it.
     */
    resolveChannel: (name: string, call: Call) => guarded(() => resolveChannel(engine, name, call)),
    /** One page of a search; `token` is the `next` of the previous page. */
    search: (searchQuery: SearchQuery, token: string | null, call: Call) =>
      guarded(() => search(engine, searchQuery, token, call)),
    /** One page of a playlist or uploads list. Leaves out unavailable videos, so only `next` marks the end. */
    listPage: (playlistId: string, token: string | null, call: Call) =>
      guarded(() => listPage(engine, playlistId, token, call)),
    /**
     * The Atom feed of a channel (`UC...`) or of a playlist. Never throws. To verify a 404, and for videos that left the feed, use
     * `listPage` of the uploads list (`UU` and the channel's id without `UC`) or of the playlist.
     */
    readFeed: (sourceId: string, call: Call) => guarded(() => readFeed(feeds, sourceId, call)),
    /**
     * The details of a video without its captions; null if it is private, deleted or does not exist. The cheapest way to see that an
     * upcoming video is out: one request of the player.
     */
    lookUpVideo: (videoId: string, call: Call) => guarded(() => lookUpVideo(players, videoId, call)),
    async close(): Promise<void> {
      await Promise.all(exits.map((exit) => exit.close()));
    },
  };
};
export type Discovery = ReturnType<typeof createDiscovery>;
