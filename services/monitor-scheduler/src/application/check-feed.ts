import { LeaseLost } from '@tds/base';
import type { ServiceError } from '@tds/errors';
import { crashPoint } from '@tds/messaging';
import type { DueOutcome } from '@tds/queue';
import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { isUnavailable, nextCheckMs, RECHECK_MS } from '../domain/cadence.ts';
import { numberVideos, type Release } from '../domain/feed-entries.ts';
import { hasOpenGap, type ListProgress } from '../domain/source.ts';
import type { Db } from '../store/database.ts';
import { type DueFeed, type FeedState, lockFeed, saveFeedState } from '../store/feeds.ts';
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
) => {
  const numbered = numberVideos({ ...changes, upcoming, releases }, lastNumber, RECHECK_MS);
  if (numbered.released.length > 0) await saveReleases(tx, id, numbered.released);
  if (numbered.added.length > 0) await addVideos(tx, id, numbered.added);
  const { pendingVideos: videos, progress } = changes;
  if (videos.length > 0) await holdVideos(tx, id, { videos, afterPages: feed.list_pages });
  if (hasOpenGap(feed) && !hasOpenGap({ ...feed, ...progress })) await endGap(tx, id, numbered.lastNumber);
  return numbered.lastNumber;
};

/** Saves a feed and its videos, and wakes its monitors. Throws `LeaseLost` if another process has the feed. */
const save = async (
  { db, messaging }: Deps,
  feed: DueFeed,
  state: FeedState,
  findings: CheckFindings | null,
) => {
  await messaging.transaction(db, async (tx) => {
    const current = await lockFeed(tx, feed);
    // It may have got its first watcher since the claim.
    if (current === null || (current.watchers === 0) !== (feed.watchers === 0)) throw new LeaseLost(feed.id);
    const { lastNumber } = current;
    const savedNumber = findings ? await saveVideos(tx, feed, findings, lastNumber) : lastNumber;
    await saveFeedState(tx, feed.id, state, savedNumber);
    await wakeMonitorsOfFeed(tx, feed.id);
  });
  if (findings) crashPoint('new-videos-recorded');
};

type Check = {
  readonly state: FeedState;
  readonly findings: CheckFindings | null;
  readonly isIdle: boolean;
  /** Why the check failed; null after a good one. */
  readonly error: ServiceError | null;
};

type SourceFailure = Pick<Extract<SourceView, { kind: 'failed' }>, 'error' | 'counts'>;
type SourceReading = Extract<SourceView, { kind: 'read' }>;

const idsOf = (videos: readonly { readonly id: string }[]): string[] => videos.map(({ id }) => id);

/** Outages on our side do not count as failures of the feed. */
const failedState = (
  { title, failures }: DueFeed,
  { error, counts }: SourceFailure,
  { knows_list, list_in, list_token, list_pages }: ListProgress,
): FeedState => ({
  ...{ knows_list, list_in, list_token, list_pages, title },
  failures: failures + (counts ? 1 : 0),
  last_error: `${error.code}: ${error.data.message}`,
});

const failedCheck = (feed: DueFeed, failure: SourceFailure): Check => ({
  state: failedState(feed, failure, feed),
  findings: null,
  isIdle: feed.watchers === 0,
  error: failure.error,
});

const readCheck = async (
  deps: Deps,
  feed: DueFeed,
  { title, entries }: SourceReading,
  call: Call & { readonly signal: AbortSignal },
) => {
  const {
    known,
    upcoming: unreleased,
    isIdle,
  } = await deps.lookUp({ feedId: feed.id, ids: idsOf(entries) }, call.signal);
  const changes = await findFeedChanges(deps, { feed, entries, known }, call);
  const { failure: error, progress } = changes;
  // The videos of a gap get their numbers first.
  const upcoming = hasOpenGap({ ...feed, ...progress }) ? [] : unreleased;
  const releases = await readReleases(deps.platform, [...upcoming, ...idsOf(changes.newVideos)], call);
  const state = error
    ? failedState(feed, { error, counts: error.wasAsked }, progress)
    : { ...progress, title: title ?? feed.title, failures: 0, last_error: null };
  return { state, findings: { changes, upcoming, releases }, isIdle, error };
};

const hasVideoChanges = (feed: DueFeed, { changes, upcoming }: CheckFindings): boolean =>
  hasOpenGap(feed) ||
  changes.newVideos.length + changes.oldVideos.length + changes.pendingVideos.length + upcoming.length > 0;

/** Checks a source once for all its monitors. */
export const checkFeed = async (
  deps: Deps,
  feed: DueFeed,
  signal: AbortSignal,
): Promise<Pick<Check, 'error'> & { readonly outcome: DueOutcome<FeedState> }> => {
  // The feed is the caller: odd answers of one source close no route for others.
  const call = { signal, callerId: feed.id };
  const view = await lookAtSource(deps.platform, sourceOf(feed), call);
  const { state, findings, isIdle, error } =
    view.kind === 'failed' ? failedCheck(feed, view) : await readCheck(deps, feed, view, call);
  const { failures } = state;
  const newFindings = findings && hasVideoChanges(feed, findings) ? findings : null;
  if (newFindings || isUnavailable(failures) !== isUnavailable(feed.failures))
    await save(deps, feed, state, newFindings);
  return { outcome: { nextInMs: nextCheckMs({ failures, isIdle }), changes: state }, error };
};
