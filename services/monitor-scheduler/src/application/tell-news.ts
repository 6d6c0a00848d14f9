import { MOST_VIDEOS_TOLD, monitorScheduler, type NewVideo } from '@tds/contracts';
import { crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { newsIdOf } from '../domain/batches.ts';
import { IDLE_MS } from '../domain/cadence.ts';
import { publicId } from '../domain/monitor-id.ts';
import { type DueMonitor, saveTurn } from '../store/monitor-turns.ts';
import { type Entry, videosBetween } from '../store/videos.ts';
import { type Held, inTurn, tellPause } from './turns.ts';

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
