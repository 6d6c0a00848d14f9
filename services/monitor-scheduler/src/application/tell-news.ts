import { MOST_VIDEOS_TOLD, type MonitorPauseReason, monitorScheduler, type NewVideo } from '@tds/contracts';
import { crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { type DueMonitor, saveTurn } from '../store/monitor-turns.ts';
import { type Entry, videosBetween } from '../store/videos.ts';
import { type Held, inTurn, publicId, tellPause } from './turns.ts';

/** Feeds tell the second; every route tells the day. */
const toNewVideo = ({ id, title, publishedAt }: Entry): NewVideo => ({
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
    after: told,
    videos: videos.map(toNewVideo),
  });
  await saveTurn(tx, id, { told: upTo });
  return upTo < lastNumber;
};

export type Told = { readonly reason: MonitorPauseReason | null; readonly hasMore: boolean };

/** Each new video is told once, in the transaction that notes it; nothing is while the monitor is paused. */
export const tellNews = async (deps: Deps, due: DueMonitor): Promise<Told> => {
  const told = await inTurn(deps, due, async (held) => {
    const reason = await tellPause(held);
    return { reason, hasMore: reason === null && (await tellSome(held)) };
  });
  crashPoint('news-told');
  return told;
};
