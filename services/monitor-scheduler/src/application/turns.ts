import { MOST_VIDEOS_TOLD, type MonitorPauseReason, monitorScheduler, type NewVideo } from '@tds/contracts';
import { type Context, crashPoint, LeaseLost, type Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { IDLE_MS, pauseReasonOf } from '../domain/cadence.ts';
import { newsIdOf, publicId } from '../domain/ids.ts';
import type { Db } from '../store/database.ts';
import {
  type DueMonitor,
  lockErrand,
  lockTurn,
  savePause,
  saveTurn,
  type Turn,
} from '../store/monitor-turns.ts';
import { type Entry, videosBetween } from '../store/videos.ts';
import type { Surface } from '../surface.ts';

/** On whose behalf another service is asked, and for how long. */
export type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;

type Held = { readonly tx: Db; readonly send: Sender<Surface>; readonly turn: Turn };

type Step<T> = (held: Held) => Promise<T>;

const holding =
  (lock: typeof lockTurn) =>
  <T>({ db, messaging }: Deps, due: DueMonitor, step: Step<T>): Promise<T> =>
    messaging.transaction(db, async (tx: Db, send) => {
      const turn = await lock(tx, due);
      if (turn === null) throw new LeaseLost(due.id);
      return step({ tx, send, turn });
    });

/** A step of a monitor's turn. Throws `LeaseLost` where it is another's turn by now. */
const inTurn = holding(lockTurn);
/** A step of its errand, likewise. */
export const onErrand = holding(lockErrand);

/** Tells what the monitor waits for, if that is another reason than was told before. */
export const tellPause = async (
  { tx, send, turn }: Held,
  changed: Partial<Turn> = {},
): Promise<MonitorPauseReason | null> => {
  const reason = pauseReasonOf({ ...turn, ...changed });
  if (reason === turn.toldPause) return reason;
  const version = await savePause(tx, turn.id, reason);
  const told = { accountId: turn.accountId, monitorId: publicId(turn.id), version };
  if (reason === null) await send.emit(monitorScheduler.monitorResumed, told);
  else await send.emit(monitorScheduler.monitorPaused, { ...told, pauseReason: reason });
  return reason;
};

/** Feeds tell the second; every route tells the day. */
export const toNewVideo = ({ id, title, publishedAt }: Entry): NewVideo => ({
  video_id: id,
  title,
  published_at: publishedAt?.slice(0, 'YYYY-MM-DD'.length) ?? null,
});

/** The oldest new videos that were not told; false where there are no more. */
const tellSome = async ({ tx, send, turn }: Held): Promise<boolean> => {
  const { id, accountId, feedId, kind, sourceId, title, webhookUrl, usesWebhook, told, lastNumber } = turn;
  const upTo = Math.min(lastNumber, told + MOST_VIDEOS_TOLD);
  const videos = await videosBetween(tx, feedId, { after: told, upTo });
  if (videos.length === 0) return false;
  await send.emit(monitorScheduler.newVideosFound, {
    accountId,
    monitorId: publicId(id),
    channel: kind === 'channel' ? sourceId : null,
    playlist: kind === 'playlist' ? sourceId : null,
    title,
    webhookUrl,
    isExpected: usesWebhook,
    newsId: newsIdOf(
      publicId(id),
      videos.map((video) => video.id),
    ),
    after: told,
    videos: videos.map(toNewVideo),
  });
  await saveTurn(tx, id, { told: upTo });
  return upTo < lastNumber;
};

/**
 * One turn of a monitor: what it waits for, then what is new. Each new video is told once, in the transaction that notes it; nothing is
 * while the monitor is paused. Resolves to when to look again; whatever happens to it meanwhile gives it another turn at once.
 */
export const tellNews = async (deps: Deps, due: DueMonitor): Promise<number> => {
  const hasMore = await inTurn(
    deps,
    due,
    async (held) => (await tellPause(held)) === null && (await tellSome(held)),
  );
  crashPoint('news-told');
  return hasMore ? 0 : IDLE_MS;
};
