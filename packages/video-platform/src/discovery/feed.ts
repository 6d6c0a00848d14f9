import { channelId } from '@tds/contracts';
import { broken, RefusedAnswer } from '../classification/index.ts';
import { bounds } from '../config/limits.ts';
import { PlatformError, platformError } from '../errors/platform-error.ts';
import { exactLine, isoDate, isTooDense, MARKUP, refuseXml, walkXml } from '../reading/index.ts';
import type { Engine } from '../serving/index.ts';
import { INTERFACE_LANGUAGE } from '../transport/index.ts';
import type { Call } from '../types.ts';
import { ask, type Question } from './ask.ts';
import type { Feed, FeedEntry, FeedResult } from './types.ts';
import { validVideoId } from './web-pages.ts';

/** Texts by their path inside the feed or an entry. */
type FeedFields = ReadonlyMap<string, string>;
type FeedTexts = { readonly feed: FeedFields; readonly entries: readonly FeedFields[] };

const FIELD_NAMES: ReadonlySet<string> = new Set([
  'id',
  'title',
  'published',
  'yt:videoId',
  'yt:channelId',
  'yt:playlistId',
  'author/name',
  'author/uri',
  'media:group/media:title',
]);
/** Invalid characters and references are no reason to lose a feed: the parser continues after them. */
const HARMLESS = /disallowed character\.$|undefined entity\.$|malformed character entity\.$/;
/** XML allows nothing before its declaration; readers of feeds skip blanks. */
const LEADING = /^[\s\ufeff]{1,1000}/;
/** Many times the entries of a real feed. */
const MAX_ENTRIES = 10 * bounds.feedEntries;

/** The wanted texts of an Atom document. */
const feedFields = (body: string): FeedTexts => {
  const feed = new Map<string, string>();
  const entries: Map<string, string>[] = [];
  const path: string[] = [];
  let entry: Map<string, string> | null = null;
  let text = '';
  const isEntry = () => path.length === 2 && path[1] === 'entry';
  const inner = () => path.slice(entry === null ? 1 : 2).join('/');
  if (isTooDense(body, MARKUP, bounds.feedMarks)) refuseXml('too_dense');
  walkXml(body.replace(LEADING, ''), {
    harmless: HARMLESS,
    open({ name }) {
      path.push(name);
      text = '';
      if (path.length === 1 && name !== 'feed') refuseXml('not_a_feed');
      if (isEntry()) {
        entry = new Map();
        entries.push(entry);
        if (entries.length > MAX_ENTRIES) refuseXml('too_many_entries');
      }
    },
    text(piece) {
      text += piece;
    },
    close() {
      const name = inner();
      const fields = entry ?? feed;
      if (FIELD_NAMES.has(name) && !fields.has(name)) fields.set(name, text);
      if (isEntry()) entry = null;
      path.pop();
    },
  });
  return { feed, entries };
};

const lineOf = (fields: FeedFields, ...names: readonly string[]): string | null => {
  const content = names.map((name) => fields.get(name)).find((text) => text !== undefined);
  return content === undefined ? null : exactLine(content, bounds.line);
};

const CHANNEL_PAGE = /\/channel\/(UC[\w-]{22})(?:[/?#]|$)/;

/** The head of a channel's feed has the id without its `UC`; that of a playlist's has it whole. */
const channelIdOf = (fields: FeedFields): string | null => {
  const rawId = fields.get('yt:channelId')?.trim() ?? '';
  const id = [rawId, `UC${rawId}`].find((candidate) => channelId.safeParse(candidate).success);
  return id ?? CHANNEL_PAGE.exec(fields.get('author/uri') ?? '')?.[1] ?? null;
};

const videoIdOf = (fields: FeedFields): string | null =>
  validVideoId((fields.get('yt:videoId') ?? fields.get('id')?.replace(/^\s*yt:video:/, ''))?.trim());

const readEntry = (fields: FeedFields): FeedEntry | null => {
  const id = videoIdOf(fields);
  const published = fields.get('published') ?? '';
  const publishedAt = published.length > bounds.mark ? null : isoDate(published);
  return id === null ? null : { id, title: lineOf(fields, 'title', 'media:group/media:title'), publishedAt };
};

/** Cuts surplus entries to the newest ones, in their order. */
const takeNewest = (entries: readonly FeedEntry[]): readonly FeedEntry[] => {
  if (entries.length <= bounds.feedEntries) return entries;
  const date = ({ publishedAt }: FeedEntry) => publishedAt ?? '';
  const byDate = entries.toSorted((one, other) => date(other).localeCompare(date(one)));
  const newestEntries = new Set(byDate.slice(0, bounds.feedEntries));
  return entries.filter((entry) => newestEntries.has(entry));
};

const isChannel = (sourceId: string): boolean => sourceId.startsWith('UC');

/** Rejects the feed of another source. The head of a feed may lack the id's prefix. */
const checkSource = (head: FeedFields, channel: string | null, sourceId: string): void => {
  const playlist = head.get('yt:playlistId')?.trim();
  const isOther = isChannel(sourceId)
    ? channel !== null && channel !== sourceId
    : playlist !== undefined && playlist !== sourceId && playlist !== sourceId.slice(2);
  if (isOther) throw new RefusedAnswer(broken('other_feed', { reason: playlist ?? channel }));
};

/** Throws RefusedAnswer, or the parser's error for invalid XML. */
export const readFeedBody = (body: string, sourceId: string): Feed => {
  const { feed: head, entries } = feedFields(body);
  const channel = channelIdOf(head);
  checkSource(head, channel, sourceId);
  const results = entries.map(readEntry);
  const validEntries = results.filter((entry) => entry !== null);
  if (validEntries.length === 0 && results.length > 0) throw new RefusedAnswer(broken('no_readable_entry'));
  return {
    title: lineOf(head, 'title'),
    channelId: channel,
    channelTitle: lineOf(head, 'author/name'),
    entries: takeNewest(
      validEntries.filter(({ id }, at) => validEntries.findIndex((one) => one.id === id) === at),
    ),
    omitted: results.length - validEntries.length,
  };
};

const feedRequest =
  (sourceId: string): Question<never>['request'] =>
  ({ headers }, { feedBytes }) => {
    const query = new URLSearchParams({ [isChannel(sourceId) ? 'channel_id' : 'playlist_id']: sourceId });
    return {
      method: 'GET',
      path: `/feeds/videos.xml?${query}`,
      headers: { 'accept-language': INTERFACE_LANGUAGE, ...headers, accept: 'application/atom+xml, text/xml' },
      capBytes: feedBytes,
    };
  };

/** Reads a feed; every failure is an outcome. */
export const readFeed = async (engine: Engine, sourceId: string, call: Call): Promise<FeedResult> => {
  const read = (body: string) => {
    const value = readFeedBody(body, sourceId);
    return { value, omitted: value.omitted };
  };
  const question = { endpoint: 'feed' as const, subject: sourceId, request: feedRequest(sourceId), read };
  try {
    return { outcome: 'read', feed: await ask(engine, question, call) };
  } catch (thrown) {
    const error = thrown instanceof PlatformError ? thrown : platformError('upstream_error', { cause: thrown });
    return error.code === 'source_not_found' ? { outcome: 'missing' } : { outcome: 'failed', error };
  }
};
