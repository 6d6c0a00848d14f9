import { channelId, videoId } from '@tds/contracts';
import { broken, RefusedAnswer } from '../../classification/refusal.ts';
import { bounds } from '../../config/bounds.ts';
import { exactLine } from '../../plain-text.ts';
import type { Feed, FeedEntry } from '../types.ts';
import { type FeedFields, feedFields } from './feed-fields.ts';

const lineOf = (fields: FeedFields, ...names: readonly string[]): string | null => {
  const found = names.map((name) => fields.get(name)).find((text) => text !== undefined);
  return found === undefined ? null : exactLine(found, bounds.line);
};

const CHANNEL_PAGE = /\/channel\/(UC[\w-]{22})(?:[/?#]|$)/;

/** At the head of a channel's feed the platform writes the id without its `UC`, at a playlist's and in entries with it. */
const channelIdOf = (fields: FeedFields): string | null => {
  const written = fields.get('yt:channelId')?.trim() ?? '';
  const id = [written, `UC${written}`].find((candidate) => channelId.safeParse(candidate).success);
  return id ?? CHANNEL_PAGE.exec(fields.get('author/uri') ?? '')?.[1] ?? null;
};

const videoIdOf = (fields: FeedFields): string | null => {
  const written = fields.get('yt:videoId') ?? fields.get('id')?.replace(/^\s*yt:video:/, '');
  return videoId.safeParse(written?.trim()).data ?? null;
};

const dateOf = (given: string | undefined): string | null => {
  const at = new Date(given?.trim() ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};

const isShort = (fields: FeedFields): boolean | null => {
  const path = URL.parse(fields.get('alternate') ?? '')?.pathname;
  return path === undefined ? null : path.startsWith('/shorts/');
};

const readEntry = (fields: FeedFields): FeedEntry | null => {
  const id = videoIdOf(fields);
  return id === null
    ? null
    : {
        ...{ id, title: lineOf(fields, 'title', 'media:group/media:title'), isShort: isShort(fields) },
        ...{ publishedAt: dateOf(fields.get('published')), updatedAt: dateOf(fields.get('updated')) },
        ...{ channelId: channelIdOf(fields), channelTitle: lineOf(fields, 'author/name') },
      };
};

/** The newest of more entries than there should be, in the order in which they stand. */
const newest = (entries: readonly FeedEntry[]): readonly FeedEntry[] => {
  if (entries.length <= bounds.feedEntries) return entries;
  const date = ({ publishedAt }: FeedEntry) => publishedAt ?? '';
  const byDate = entries.toSorted((one, other) => date(other).localeCompare(date(one)));
  const kept = new Set(byDate.slice(0, bounds.feedEntries));
  return entries.filter((entry) => kept.has(entry));
};

/** Whether a feed is asked for as a channel's; else it is a playlist's. */
export const isChannel = (sourceId: string): boolean => sourceId.startsWith('UC');

/** Where the feed says whose it is, it has to be the one that was asked for; the head of a feed may lack the id's prefix. */
const refuseOther = (head: FeedFields, channel: string | null, sourceId: string): void => {
  const playlist = head.get('yt:playlistId')?.trim();
  const isOther = isChannel(sourceId)
    ? channel !== null && channel !== sourceId
    : playlist !== undefined && playlist !== sourceId && playlist !== sourceId.slice(2);
  if (isOther) throw new RefusedAnswer(broken('other_feed', { reason: playlist ?? channel }));
};

/** Reads the feed of `sourceId`. Throws RefusedAnswer, or the parser's error for what is no XML. */
export const readFeedBody = (body: string, sourceId: string): Feed => {
  const { feed: head, entries } = feedFields(body);
  const channel = channelIdOf(head);
  refuseOther(head, channel, sourceId);
  const read = entries.map(readEntry);
  const found = read.filter((entry) => entry !== null);
  if (found.length === 0 && read.length > 0) throw new RefusedAnswer(broken('no_readable_entry'));
  return {
    ...{ title: lineOf(head, 'title'), channelId: channel, channelTitle: lineOf(head, 'author/name') },
    entries: newest(found.filter(({ id }, at) => found.findIndex((one) => one.id === id) === at)),
    omitted: read.length - found.length,
  };
};
