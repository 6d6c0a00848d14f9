import type { ServiceError } from '@tds/contracts';
import type { DueOutcome } from '@tds/service-kit';
import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { nextCheckMs } from '../domain/cadence.ts';
import { isUnavailable } from '../domain/pauses.ts';
import { hasOpenGap, type Walk } from '../domain/walk.ts';
import type { DueFeed, FeedState } from '../store/feeds.ts';
import type { Entry } from '../store/videos.ts';
import { askWhetherOut } from './ask-whether-out.ts';
import { findNews } from './find-news.ts';
import { type Look, lookAtSource } from './look-at-source.ts';
import type { News } from './news.ts';
import { recordNews, recordState } from './record-news.ts';

export type Checked = {
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
