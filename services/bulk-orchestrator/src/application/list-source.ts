import {
  type bulkOrchestrator,
  type RequestOf,
  search,
  serviceError,
  type Tier,
  tierLimits,
  transcriptFetcher,
} from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { NewRow } from '../store/rows.ts';

export type NewJob = RequestOf<typeof bulkOrchestrator.createJob>;
export type Source = {
  readonly kind: 'video_ids' | 'channel' | 'playlist' | 'list';
  readonly videos: readonly Omit<NewRow, 'isCold'>[];
};
type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;
type Asking = Pick<NewJob, 'accountId' | 'keyId' | 'tier'> & { readonly limitId?: string | null | undefined };

const refuseTooMany = (count: number, tier: Tier): void => {
  const most = tierLimits[tier].videosPerJob;
  if (count <= most) return;
  throw serviceError('job_size_cap', {
    message: `A job has at most ${most} videos in this tier. List the source and send video_ids in parts.`,
  });
};

/** The videos of a channel, a playlist or a list; null while it is still being listed. */
export const listInput = async (
  { kit }: Pick<Deps, 'kit'>,
  input: string,
  { accountId, keyId, limitId, tier }: Asking,
  waitMs: number,
  context: CallContext,
): Promise<Source | null> => {
  const page = await kit.call(
    search.listVideos,
    {
      // What no key has asked for counts under its account.
      ...{ accountId, keyId: keyId ?? accountId, tier, input, contents: 'all', offset: 0, waitMs },
      ...(limitId ? { limitId } : {}),
      startsNothing: false,
    },
    context,
  );
  if (page.state === 'pending') return null;
  if (page.videos.length === 0) throw serviceError('empty_list', { message: 'The source has no videos.' });
  refuseTooMany(page.next_offset ?? page.videos.length, tier);
  const videos = page.videos.map(({ video_id: videoId, title, published_at: publishedAt }) => ({
    ...{ videoId, title, publishedAt },
  }));
  return { kind: page.source.kind, videos };
};

/** The videos that a new job is about. */
export const listSource = async (
  deps: Pick<Deps, 'kit'>,
  job: NewJob,
  waitMs: number,
  context: CallContext,
): Promise<Source | null> => {
  if ('input' in job.source) return listInput(deps, job.source.input, job, waitMs, context);
  const ids = [...new Set(job.source.videoIds)];
  refuseTooMany(ids.length, job.tier);
  return { kind: 'video_ids', videos: ids.map((videoId) => ({ videoId, title: null, publishedAt: null })) };
};

/** Which of them have to be fetched, as far as is known now: what is cached or known to fail needs no credit. */
export const withColdness = async (
  { kit }: Pick<Deps, 'kit'>,
  videos: Source['videos'],
  { language, fallback }: Pick<NewJob, 'language' | 'fallback'>,
  context: CallContext,
): Promise<NewRow[]> => {
  const videoIds = videos.map(({ videoId }) => videoId);
  const { cached, failed } = await kit.call(
    transcriptFetcher.findCachedSelections,
    { videoIds, language, fallback },
    context,
  );
  const known = new Set([...cached, ...failed]);
  return videos.map((video) => ({ ...video, isCold: !known.has(video.videoId) }));
};
