import { LeaseLost } from '@tds/base';
import { MAX_VIDEOS_PER_EVENT, type MonitorPauseReason, monitorScheduler, type NewVideo } from '@tds/contracts';
import { crashPoint, type Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { decidePauseReason, IDLE_MS } from '../domain/cadence.ts';
import type { ListedVideo } from '../domain/feed-entries.ts';
import { publicId, toNewVideosId } from '../domain/ids.ts';
import type { Db } from '../store/database.ts';
import {
  type DueMonitor,
  lockAction,
  lockTurn,
  type MonitorTurn,
  savePause,
  saveTurn,
} from '../store/monitor-turns.ts';
import { videosBetween } from '../store/videos.ts';
import type { Surface } from '../surface.ts';

type LockedTurn = { readonly tx: Db; readonly send: Sender<Surface>; readonly turn: MonitorTurn };

const withLock =
  (lock: typeof lockTurn) =>
  <T>({ db, messaging }: Deps, due: DueMonitor, step: (lockedTurn: LockedTurn) => Promise<T>): Promise<T> =>
    messaging.transaction(db, async (tx: Db, send) => {
      const turn = await lock(tx, due);
      if (turn === null) throw new LeaseLost(due.id);
      return step({ tx, send, turn });
    });

/** Runs a step with the monitor locked. Throws `LeaseLost` if another process has the turn. */
const withTurn = withLock(lockTurn);
/** The same for a step of its action. */
export const withAction = withLock(lockAction);

/** Emits the pause reason if it differs from the last emitted one. Returns the reason. */
export const emitPauseChange = async (
  { tx, send, turn }: LockedTurn,
  overrides: Partial<MonitorTurn> = {},
): Promise<MonitorPauseReason | null> => {
  const reason = decidePauseReason({ ...turn, ...overrides });
  if (reason === turn.emittedPause) return reason;
  const version = await savePause(tx, turn.id, reason);
  const change = { accountId: turn.accountId, monitorId: publicId(turn.id), version };
  if (reason === null) await send.emit(monitorScheduler.monitorResumed, change);
  else {
    const { title, personId } = turn;
    await send.emit(monitorScheduler.monitorPaused, { ...change, title, personId, pauseReason: reason });
  }
  return reason;
};

/** Feeds have the second; every route shows the day. */
export const toNewVideo = ({ id, title, publishedAt }: ListedVideo): NewVideo => ({
  video_id: id,
  title,
  published_at: publishedAt?.slice(0, 'YYYY-MM-DD'.length) ?? null,
});

/** The channel or the playlist of a monitor, as events name it. */
export const sourceFields = ({ kind, sourceId }: Pick<MonitorTurn, 'kind' | 'sourceId'>) => ({
  channel: kind === 'channel' ? sourceId : null,
  playlist: kind === 'playlist' ? sourceId : null,
});

/** Emits the oldest new videos; false if there are no more. */
const emitVideos = async ({ tx, send, turn }: LockedTurn) => {
  const { id, accountId, feedId, title, webhookUrl, usesWebhook, emitted: after, lastNumber } = turn;
  const { mailOnlyMatches, personId, receivers } = turn;
  const monitorId = publicId(id);
  const upTo = Math.min(lastNumber, after + MAX_VIDEOS_PER_EVENT);
  const videos = await videosBetween(tx, feedId, { after, upTo });
  if (videos.length === 0) return false;
  await send.emit(monitorScheduler.newVideosFound, {
    ...sourceFields(turn),
    accountId,
    monitorId,
    title,
    webhookUrl,
    webhookKeyId: turn.webhookKeyId ?? turn.keyId,
    mail: mailOnlyMatches ? 'none' : turn.mail,
    weekly: turn.weekly,
    ...{ mailOnlyMatches, personId, receiverIds: receivers },
    isExpected: usesWebhook,
    newVideosId: toNewVideosId(
      monitorId,
      videos.map((video) => video.id),
    ),
    after,
    videos: videos.map(toNewVideo),
  });
  await saveTurn(tx, id, { emitted: upTo });
  return upTo < lastNumber;
};

/**
 * One turn of a monitor: emits a change of its pause, then its new videos unless it is paused. Each video is emitted once, in the
 * transaction that saves it. Returns the milliseconds to the next turn; a change of the monitor starts one at once.
 */
export const emitNewVideos = async (deps: Deps, due: DueMonitor): Promise<number> => {
  const hasMore = await withTurn(
    deps,
    due,
    async (lockedTurn) => (await emitPauseChange(lockedTurn)) === null && (await emitVideos(lockedTurn)),
  );
  crashPoint('new-videos-emitted');
  return hasMore ? 0 : IDLE_MS;
};
