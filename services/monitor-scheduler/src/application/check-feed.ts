import { LeaseLost } from '@tds/base';
import type { ServiceError } from '@tds/errors';
import { crashPoint } from '@tds/messaging';
import type { DueOutcome } from '@tds/queue';
import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { ASK_AGAIN_MS, isUnavailable, nextCheckMs } from '../domain/cadence.ts';
import { numberVideos, type Release } from '../domain/feed-entries.ts';
import { hasOpenGap, type ListProgress } from '../domain/source.ts';
import type { Db } from '../store/database.ts';
import { type DueFeed, type FeedState, type LockedFeed, lockDueFeed, saveFeedState } from '../store/feeds.ts';
import { wakeMonitorsOfFeed } from '../store/monitor-turns.ts';
import { addVideos, endGap, holdVideos, saveReleases } from '../store/videos.ts';
import { type FeedChanges, findFeedChanges, sourceOf } from './find-changes.ts';
import { lookAtSource, readReleases, type SourceView } from './look-at-source.ts';

/** The videos to save besides the state of the feed. */
type CheckFindings = {
  readonly changes: FeedChanges;
  readonly upcoming: readonly string[];
  readonly releases: ReadonlyMap<string, Release>;
};

const saveVideos = async (
  tx: Db,
  { id, ...feed }: DueFeed,
  { changes, upcoming, releases }: CheckFindings,
  lastNumber: number,
): Promise<number> => {
  const numbered = numberVideos({ ...changes, upcoming, releases }, lastNumber, ASK_AGAIN_MS);
  if (numbered.released.length > 0) await saveReleases(tx, id, numbered.released);
  if (numbered.added.length > 0) await addVideos(tx, id, numbered.added);
  const { pendingVideos: videos, progress } = changes;
  if (videos.length > 0) await holdVideos(tx, id, { videos, afterPages: feed.list_pages });
  if (hasOpenGap(feed) && !hasOpenGap({ ...feed, ...progress })) await endGap(tx, id, numbered.lastNumber);
  return numbered.lastNumber;
};

/** Throws `LeaseLost` if another process has the feed, or if it got its first watcher since the claim. */
const lockClaimed = async (tx: Db, feed: DueFeed): Promise<LockedFeed> => {
  const locked = await lockDueFeed(tx, feed);
  if (locked === null || (locked.watchers === 0) !== (feed.watchers === 0)) throw new LeaseLost(feed.id);
  return locked;
};

/** Saves a feed and its videos, and wakes its monitors. */
const save = async (
  { db, messaging }: Deps,
  feed: DueFeed,
  state: FeedState,
  findings: CheckFindings | null,
): Promise<void> => {
  await messaging.transaction(db, async (tx) => {
    const { lastNumber } = await lockClaimed(tx, feed);
    const last = findings ? await saveVideos(tx, feed, findings, lastNumber) : lastNumber;
    await saveFeedState(tx, feed.id, state, last);
    await wakeMonitorsOfFeed(tx, feed.id);
  });
  if (findings) crashPoint('news-recorded');
};

type CheckResult = {
  readonly outcome: DueOutcome<FeedState>;
  /** Why the check failed; null after a good one. */
  readonly error: ServiceError | null;
};

type SourceFailure = Pick<Extract<SourceView, { kind: 'failed' }>, 'error' | 'counts'>;
type SourceReading = Extract<SourceView, { kind: 'read' }>;

const idsOf = (videos: readonly { readonly id: string }[]): string[] => videos.map(({ id }) => id);

const progressOf = ({ knows_list, list_in, list_token, list_pages }: ListProgress): ListProgress => ({
  knows_list,
  list_in,
  list_token,
  list_pages,
});

const changesVideos = (feed: DueFeed, { changes, upcoming }: CheckFindings): boolean =>
  hasOpenGap(feed) ||
  changes.newVideos.length + changes.oldVideos.length + changes.pendingVideos.length + upcoming.length > 0;

/** Outages on our side do not count as failures of the feed. */
const failedState = (feed: DueFeed, { error, counts }: SourceFailure, progress: ListProgress): FeedState => ({
  ...progressOf(progress),
  title: feed.title,
  failures: feed.failures + (counts ? 1 : 0),
  last_error: `${error.code}: ${error.data.message}`,
});

const changesAvailability = (feed: DueFeed, { failures }: FeedState): boolean =>
  isUnavailable(failures) !== isUnavailable(feed.failures);

const outcomeOf = (state: FeedState, isIdle: boolean) => ({
  nextInMs: nextCheckMs({ failures: state.failures, isIdle }),
  written: state,
});

const endFailed = async (deps: Deps, feed: DueFeed, failure: SourceFailure): Promise<CheckResult> => {
  const state = failedState(feed, failure, feed);
  if (changesAvailability(feed, state)) await save(deps, feed, state, null);
  return { outcome: outcomeOf(state, feed.watchers === 0), error: failure.error };
};

const endRead = async (
  deps: Deps,
  feed: DueFeed,
  { title, entries }: SourceReading,
  call: Call & { readonly signal: AbortSignal },
): Promise<CheckResult> => {
  const seen = await deps.lookUp({ feedId: feed.id, ids: idsOf(entries) }, call.signal);
  const changes = await findFeedChanges(deps, { feed, entries, known: seen.known }, call);
  const { failure, progress } = changes;
  // The videos of a gap get their numbers first.
  const upcoming = hasOpenGap({ ...feed, ...progress }) ? [] : seen.upcoming;
  const releases = await readReleases(deps.platform, [...upcoming, ...idsOf(changes.newVideos)], call);
  const findings = { changes, upcoming, releases };
  const state = failure
    ? failedState(feed, { error: failure, counts: failure.wasAsked }, progress)
    : { ...progress, title: title ?? feed.title, failures: 0, last_error: null };
  if (changesVideos(feed, findings)) await save(deps, feed, state, findings);
  else if (changesAvailability(feed, state)) await save(deps, feed, state, null);
  return { outcome: outcomeOf(state, seen.isIdle), error: failure };
};

/** Checks a source once for all its monitors. */
export const checkFeed = async (deps: Deps, feed: DueFeed, signal: AbortSignal): Promise<CheckResult> => {
  // The feed is the caller: odd answers of one source close no route for others.
  const call = { signal, callerId: feed.id };
  const view = await lookAtSource(deps.platform, sourceOf(feed), call);
  return view.kind === 'failed' ? endFailed(deps, feed, view) : endRead(deps, feed, view, call);
};
