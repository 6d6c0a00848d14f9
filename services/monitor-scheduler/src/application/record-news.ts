import { crashPoint, LeaseLost } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { ASK_AGAIN_MS } from '../domain/cadence.ts';
import { hasOpenGap } from '../domain/walk.ts';
import type { Db } from '../store/database.ts';
import { type DueFeed, type FeedState, type LockedFeed, lockDueFeed } from '../store/feeds.ts';
import { endGap, holdVideos } from '../store/held-videos.ts';
import { wakeMonitorsOfFeed } from '../store/monitor-turns.ts';
import { addVideos, type Entry, type NewRow, saveAnswers } from '../store/videos.ts';
import type { Answer } from './ask-whether-out.ts';
import type { News } from './news.ts';

export type Found = {
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
export const recordNews = async ({ db, messaging }: Deps, feed: DueFeed, found: Found): Promise<void> => {
  await messaging.transaction(db, async (tx) => {
    const { lastNumber } = await holdFeed(tx, feed);
    const last = await record(tx, feed, found, lastNumber);
    await keepGap(tx, feed, found, last);
    await saveState(tx, feed, found.state, last);
  });
  crashPoint('news-recorded');
};

/** Saves how a feed is, and wakes its monitors, since they pause for it, or go on. */
export const recordState = ({ db, messaging }: Deps, feed: DueFeed, state: FeedState): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    const { lastNumber } = await holdFeed(tx, feed);
    await saveState(tx, feed, state, lastNumber);
  });
