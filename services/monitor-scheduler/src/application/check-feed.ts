import type { ServiceError } from '@tds/contracts';
import { crashPoint, type DueOutcome, LeaseLost } from '@tds/service-kit';
import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { ASK_AGAIN_MS, isUnavailable, nextCheckMs } from '../domain/cadence.ts';
import { hasOpenGap, type Walk } from '../domain/source.ts';
import type { Db } from '../store/database.ts';
import { type DueFeed, type FeedState, type LockedFeed, lockDueFeed } from '../store/feeds.ts';
import { wakeMonitorsOfFeed } from '../store/monitor-turns.ts';
import { addVideos, type Entry, endGap, holdVideos, type NewRow, saveAnswers } from '../store/videos.ts';
import { findNews } from './find-news.ts';
import { type Answer, askWhetherOut, type Look, lookAtSource } from './look-at-source.ts';
import type { News } from './news.ts';

type Found = {
  readonly news: News;
  /** Those that were not out yet, of which somebody has asked again. */
  readonly upcoming: readonly string[];
  readonly answers: ReadonlyMap<string, Answer>;
  readonly state: FeedState;
};

/** One number after the other: a video that comes out now is newer than all that were out before. */
const numbering = (last: number) => {
  let number = last;
  return { next: () => (number += 1), last: () => number };
};

const old = (entry: Entry): NewRow => ({ ...entry, number: null, askInMs: null });
const upcoming = (entry: Entry): NewRow => ({ ...entry, number: null, askInMs: ASK_AGAIN_MS });

/** What could not be asked of a new video counts as out: a job of it waits for a broadcast by itself. */
const record = async (tx: Db, feed: DueFeed, found: Found, lastNumber: number): Promise<number> => {
  const { news, answers } = found;
  const numbers = numbering(lastNumber);
  const asked = found.upcoming.map((id) => {
    const isOut = answers.get(id) === 'out';
    return { id, number: isOut ? numbers.next() : null, askInMs: isOut ? null : ASK_AGAIN_MS };
  });
  const fresh = news.fresh
    .toReversed()
    .map((entry) =>
      answers.get(entry.id) === 'upcoming'
        ? upcoming(entry)
        : { ...entry, number: numbers.next(), askInMs: null },
    );
  if (asked.length > 0) await saveAnswers(tx, feed.id, asked);
  const rows = [...news.old.map(old), ...fresh];
  if (rows.length > 0) await addVideos(tx, feed.id, rows);
  return numbers.last();
};

/** What was found of a gap waits until it is filled. */
const keepGap = async (tx: Db, feed: DueFeed, { news, state }: Found, lastNumber: number): Promise<void> => {
  const { held: entries } = news;
  if (entries.length > 0) await holdVideos(tx, feed.id, { entries, afterPages: feed.list_pages });
  if (hasOpenGap(feed) && !hasOpenGap({ ...feed, ...state })) await endGap(tx, feed.id, lastNumber);
};

/** The feed in a transaction. Throws `LeaseLost` where somebody else has it by now, or somebody has begun to watch it meanwhile. */
const holdFeed = async (tx: Db, feed: DueFeed): Promise<LockedFeed> => {
  const locked = await lockDueFeed(tx, feed);
  if (locked === null || (locked.watchers === 0) !== (feed.watchers === 0)) throw new LeaseLost(feed.id);
  return locked;
};

const saveState = async (tx: Db, { id }: DueFeed, state: FeedState, lastNumber: number): Promise<void> => {
  const { title, failures, last_error: lastError } = state;
  const { knows_list: knowsList, list_in: listIn, list_token: listToken, list_pages: listPages } = state;
  const walk = { knowsList, listIn, listToken, listPages };
  await tx.feed.update({ where: { id }, data: { lastNumber, title, failures, lastError, ...walk } });
  await wakeMonitorsOfFeed(tx, id);
};

/** Saves what a check has found, and wakes the monitors that have something to do for it. */
const recordNews = async ({ db, messaging }: Deps, feed: DueFeed, found: Found): Promise<void> => {
  await messaging.transaction(db, async (tx) => {
    const { lastNumber } = await holdFeed(tx, feed);
    const last = await record(tx, feed, found, lastNumber);
    await keepGap(tx, feed, found, last);
    await saveState(tx, feed, found.state, last);
  });
  crashPoint('news-recorded');
};

/** Saves how a feed is, and wakes its monitors, since they pause for it, or go on. */
const recordState = ({ db, messaging }: Deps, feed: DueFeed, state: FeedState): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    const { lastNumber } = await holdFeed(tx, feed);
    await saveState(tx, feed, state, lastNumber);
  });

type Checked = {
  readonly outcome: DueOutcome<FeedState>;
  /** Why nothing is known; null after a good check. */
  readonly error: ServiceError | null;
};

type Failure = Pick<Extract<Look, { kind: 'failed' }>, 'error' | 'counts'>;
type Asking = Call & { readonly signal: AbortSignal };
type Read = { readonly title: string | null; readonly entries: readonly Entry[] };

const sourceOf = ({ kind, source_id: id }: DueFeed) => ({ kind, id });
const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);

const walkOf = ({ knows_list, list_in, list_token, list_pages }: Walk): Walk => ({
  ...{ knows_list, list_in, list_token, list_pages },
});

/** More than the row of the feed itself. */
const changesMore = (feed: DueFeed, { fresh, old, held }: News, upcoming: readonly string[]): boolean =>
  hasOpenGap(feed) || fresh.length + old.length + held.length + upcoming.length > 0;

/** What nobody could ask about is no failure of the feed. */
const failedState = (feed: DueFeed, { error, counts }: Failure, walk: Walk): FeedState => ({
  ...walkOf(walk),
  title: feed.title,
  failures: feed.failures + (counts ? 1 : 0),
  last_error: `${error.code}: ${error.data.message}`,
});

const goodState = (feed: DueFeed, title: string | null, walk: Walk): FeedState => ({
  ...{ ...walk, title: title ?? feed.title, failures: 0, last_error: null },
});

const changesStanding = (feed: DueFeed, { failures }: FeedState): boolean =>
  isUnavailable(failures) !== isUnavailable(feed.failures);

const outcomeOf = (state: FeedState, isIdle: boolean) => ({
  nextInMs: nextCheckMs({ failures: state.failures, isIdle }),
  written: state,
});

const failed = async (deps: Deps, feed: DueFeed, failure: Failure): Promise<Checked> => {
  const state = failedState(feed, failure, feed);
  if (changesStanding(feed, state)) await recordState(deps, feed, state);
  return { outcome: outcomeOf(state, feed.watchers === 0), error: failure.error };
};

const read = async (deps: Deps, feed: DueFeed, { title, entries }: Read, call: Asking): Promise<Checked> => {
  const seen = await deps.lookUp({ feedId: feed.id, ids: idsOf(entries) }, call.signal);
  const news = await findNews(deps, { feed, source: sourceOf(feed), entries, known: seen.known }, call);
  // While a gap is filled nothing has a number: what is in it comes first.
  const upcoming = hasOpenGap({ ...feed, ...news.walk }) ? [] : seen.upcoming;
  const answers = await askWhetherOut(deps, [...upcoming, ...idsOf(news.fresh)], call);
  const { failure, walk } = news;
  const state = failure
    ? failedState(feed, { error: failure, counts: failure.wasAsked }, walk)
    : goodState(feed, title, walk);
  if (changesMore(feed, news, upcoming)) await recordNews(deps, feed, { news, upcoming, answers, state });
  else if (changesStanding(feed, state)) await recordState(deps, feed, state);
  return { outcome: outcomeOf(state, seen.isIdle), error: failure };
};

/** One look at a source, for all who watch it. */
export const checkFeed = async (deps: Deps, feed: DueFeed, signal: AbortSignal): Promise<Checked> => {
  // Of the source, not of an account: odd answers of one source close no route for the others.
  const call = { signal, callerId: feed.id };
  const look = await lookAtSource(deps, sourceOf(feed), call);
  return look.kind === 'failed' ? failed(deps, feed, look) : read(deps, feed, look, call);
};
