import { findChannel, findChannelByHandle } from '../catalogue/giant-channel.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';
import { channelFeed, FEED_ENTRIES, playlistFeed } from '../wire/feed.ts';
import { continued, firstListPage, firstVideos, goneList, listEntries } from '../wire/list-page.ts';
import { alert } from '../wire/page-texts.ts';
import { readToken } from '../wire/page-token.ts';
import { plainPage } from '../wire/pages.ts';
import {
  channelSearchPage,
  firstSearchPage,
  nextSearchPage,
  type Search,
  searchSchema,
  searchSections,
} from '../wire/search-page.ts';
import { type Answer, errorAnswer, htmlAnswer, jsonAnswer } from './answer.ts';
import type { Simulation } from './simulation.ts';

const invalid = (): Answer => errorAnswer(400, 'Request contains an invalid argument.');
const missing = (): Answer => errorAnswer(404, 'Requested entity was not found.');

/** The field of the type inside of the parameters, which may be escaped. */
const parseType = (params: string): Search['type'] => {
  const bytes = Buffer.from(decodeURIComponent(params), 'base64');
  const chosen = { 1: 'video', 2: 'channel', 3: 'playlist' } as const;
  return bytes[0] === 0x12 ? (chosen[bytes[3] as keyof typeof chosen] ?? 'all') : 'all';
};

const sections = ({ seed }: Simulation, search: Search, from: number): object[] =>
  searchSections(search, findChannel(search.channelId ?? '', seed), from, seed);

const nextSearchSections = (simulation: Simulation, of: string, from: number): object[] | undefined => {
  const search = searchSchema.safeParse(JSON.parse(of));
  return search.success ? sections(simulation, search.data, from) : undefined;
};

export const searchAnswer = (simulation: Simulation, { body }: PlatformRequest): Answer => {
  if (body.continuation !== undefined) {
    const token = readToken(body.continuation);
    const next = token?.kind === 'search' ? nextSearchSections(simulation, token.of, token.from) : undefined;
    return next ? jsonAnswer(nextSearchPage(next)) : invalid();
  }
  if (!body.query) return invalid();
  const search = { query: body.query, type: parseType(body.params ?? ''), channelId: null };
  return jsonAnswer(firstSearchPage(sections(simulation, search, 0)));
};

const PLAYLIST_PAGE = /^VL(.+)$/;

const answerContinuation = (simulation: Simulation, text: string): Answer => {
  const token = readToken(text);
  if (token?.kind === 'search') {
    const next = nextSearchSections(simulation, token.of, token.from);
    return next ? jsonAnswer(continued(next)) : invalid();
  }
  const list = token && simulation.content.list(token.of);
  if (!token || !list) return invalid();
  return jsonAnswer(continued(listEntries(list, token.from, simulation.content.video)));
};

export const browseAnswer = (simulation: Simulation, { body }: PlatformRequest): Answer => {
  if (body.continuation !== undefined) return answerContinuation(simulation, body.continuation);
  const { seed, content } = simulation;
  const playlistId = PLAYLIST_PAGE.exec(body.browseId ?? '')?.[1];
  if (playlistId !== undefined) {
    const list = content.list(playlistId);
    return jsonAnswer(list ? firstListPage(list, content.video) : goneList);
  }
  if (!body.browseId?.startsWith('UC')) return invalid();
  if (!findChannel(body.browseId, seed))
    return jsonAnswer({ alerts: [alert('ERROR', 'This channel does not exist.')] });
  const search = { query: body.query ?? '', type: 'video' as const, channelId: body.browseId };
  return jsonAnswer(channelSearchPage(sections(simulation, search, 0)));
};

const HANDLE = /^\/(@[^/]+)/;
/** An older address, from which the platform sends on to the handle. */
const OLD_NAME = /^\/(?:c\/|user\/)?Simulated(\d\d)$/;

const endpointAnswer = (type: 'UNKNOWN' | 'CHANNEL', endpoint: object): Answer => {
  const webPageType = `WEB_PAGE_TYPE_${type}`;
  return jsonAnswer({ endpoint: { commandMetadata: { webCommandMetadata: { webPageType } }, ...endpoint } });
};

export const resolveAnswer = ({ seed }: Simulation, { body }: PlatformRequest): Answer => {
  const path = decodeURIComponent(URL.parse(body.url ?? '')?.pathname ?? '');
  const old = OLD_NAME.exec(path)?.[1];
  if (old !== undefined)
    return endpointAnswer('UNKNOWN', { urlEndpoint: { url: `https://www.youtube.com/@simulated-${old}` } });
  const handle = HANDLE.exec(path)?.[1]?.toLowerCase() ?? '';
  const channel = findChannelByHandle(handle, seed);
  if (!channel) return missing();
  return endpointAnswer('CHANNEL', {
    browseEndpoint: { browseId: channel.id, params: 'EgC4AQCSAwDyBgQKAjIA' },
  });
};

export const FEED_TYPE = 'text/xml; charset=UTF-8';

/** No such source, or on the platform's bad days any. */
export const noFeed = (): Answer => htmlAnswer(plainPage('Error 404 (Not Found)!!1'), 404);

/** The Atom feed of `channel_id` or `playlist_id`: the first 15 videos of the list, upcoming ones too. */
export const feedAnswer = ({ content }: Simulation, { parameters }: PlatformRequest): Answer => {
  const channelId = parameters.get('channel_id');
  const listId = channelId === null ? (parameters.get('playlist_id') ?? '') : `UU${channelId.slice(2)}`;
  const list = content.list(listId);
  if (!list) return noFeed();
  const videos = firstVideos(list, FEED_ENTRIES, content.video);
  return {
    status: 200,
    contentType: FEED_TYPE,
    headers: { 'cache-control': 'public, max-age=900', age: '0' },
    body: channelId === null ? playlistFeed(list, videos) : channelFeed(list.channel, videos),
  };
};
