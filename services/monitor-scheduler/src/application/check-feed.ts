import type { ServiceError } from '@tds/contracts';
import type { DueOutcome } from '@tds/service-kit';
import { type Call, PlatformError } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { CHECK_EVERY_MS, nextCheckMs } from '../domain/cadence.ts';
import { isUnavailable } from '../domain/pauses.ts';
import { FEED_SIZE } from '../domain/sift.ts';
import type { DueFeed, FeedState } from '../store/feeds.ts';
import { dueUpcoming, type Entry } from '../store/videos.ts';
import { askWhetherOut, MOST_ASKED } from './ask-whether-out.ts';
import { findNews } from './find-news.ts';
import { type Look, lookAtSource } from './look-at-source.ts';
import { recordNews, recordState } from './record-news.ts';

export type Checked = {
  readonly outcome: DueOutcome<FeedState>;
  /** Why nothing is known; null after a good check. */
  readonly error: ServiceError | null;
};

const sourceOf = ({ kind, source_id: id }: DueFeed) => ({ kind, id });
const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);

/** What nobody could ask about is no failure of the feed. */
const failed = async (deps: Deps, feed: DueFeed, { error, counts }: Extract<Look, { kind: 'failed' }>) => {
  const failures = feed.failures + (counts ? 1 : 0);
  const { title, is_full } = feed;
  const state = { title, is_full, failures, last_error: `${error.code}: ${error.data.message}` };
  if (isUnavailable(failures) !== isUnavailable(feed.failures)) await recordState(deps, feed, state);
  return { outcome: { nextInMs: nextCheckMs(failures), written: state }, error };
};

const read = async (
  deps: Deps,
  feed: DueFeed,
  { title, entries }: { readonly title: string | null; readonly entries: readonly Entry[] },
  call: Call,
): Promise<Checked> => {
  const news = await findNews(deps, { feed, source: sourceOf(feed), entries }, call);
  const upcoming = idsOf(await dueUpcoming(deps.db, feed.id, MOST_ASKED));
  const answers = await askWhetherOut(deps, [...upcoming, ...idsOf(news.fresh)], call);
  const isFull = entries.length >= FEED_SIZE;
  const state = { title: title ?? feed.title, is_full: isFull, failures: 0, last_error: null };
  if (news.fresh.length + news.old.length + upcoming.length > 0)
    await recordNews(deps, feed, { news, upcoming, answers, state });
  else if (isUnavailable(feed.failures)) await recordState(deps, feed, state);
  return { outcome: { nextInMs: CHECK_EVERY_MS, written: state }, error: null };
};

/** One look at a source, for all who watch it. */
export const checkFeed = async (deps: Deps, feed: DueFeed, signal: AbortSignal): Promise<Checked> => {
  // Of the source, not of an account: odd answers of one source close no route for the others.
  const call = { signal, callerId: feed.id };
  const look = await lookAtSource(deps, sourceOf(feed), call);
  if (look.kind === 'failed') return failed(deps, feed, look);
  try {
    return await read(deps, feed, look, call);
  } catch (error) {
    // The list behind the feed could not be read: half of what came is no good check.
    if (!(error instanceof PlatformError)) throw error;
    return failed(deps, feed, { kind: 'failed', error, counts: error.wasAsked });
  }
};
