import { ServiceError, serviceError } from '@tds/errors';
import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { MAX_LOOKUPS } from '../domain/cadence.ts';
import type { ListedVideo, Release } from '../domain/feed-entries.ts';
import { contentsOf, playlistToRead, type Source } from '../domain/source.ts';

type Platform = Deps['platform'];

export type SourceView =
  | { readonly kind: 'read'; readonly title: string | null; readonly entries: readonly ListedVideo[] }
  /** `counts`: the source failed, not our ways to the platform. */
  | { readonly kind: 'failed'; readonly error: ServiceError; readonly counts: boolean };

export const notFoundError = () =>
  serviceError('source_not_found', { message: 'The platform has no feed of this channel or playlist.' });

/** On bad days the platform answers 404 for feeds that exist, so a missing feed is checked against the list. */
const readListInstead = async (platform: Platform, source: Source, call: Call): Promise<SourceView> => {
  try {
    const { items } = await platform.listPage(playlistToRead(source), null, call);
    return { kind: 'read', title: null, entries: items };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { kind: 'failed', error: notFoundError(), counts: true };
  }
};

/** Reads the newest videos of a source. */
export const lookAtSource = async (platform: Platform, source: Source, call: Call): Promise<SourceView> => {
  const result = await platform.readFeed(source.id, call);
  switch (result.outcome) {
    case 'read': {
      const { title, channelTitle, entries } = result.feed;
      // The list of a tab is named like that of any other channel.
      const [name, other] = contentsOf(source.id) === 'all' ? [title, channelTitle] : [channelTitle, title];
      return { kind: 'read', title: name ?? other, entries };
    }
    case 'missing':
      return readListInstead(platform, source, call);
    case 'failed':
      return { kind: 'failed', error: result.error, counts: result.error.wasAsked };
  }
};

const readRelease = async ({ lookUpVideo }: Platform, id: string, call: Call) => {
  try {
    const video = await lookUpVideo(id, call);
    const broadcast = video?.broadcast;
    return broadcast === 'upcoming' || broadcast === 'hidden' ? broadcast : 'out';
  } catch (thrown) {
    if (thrown instanceof ServiceError) return 'unknown';
    throw thrown;
  }
};

/** Looks up whether videos are out, which feeds do not say. One after the other, because no caller waits. */
export const readReleases = async (
  platform: Platform,
  ids: readonly string[],
  call: Call,
): Promise<Map<string, Release>> => {
  const releases = new Map<string, Release>();
  for (const id of ids.slice(0, MAX_LOOKUPS)) releases.set(id, await readRelease(platform, id, call));
  return releases;
};
