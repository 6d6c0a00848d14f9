import { type bulkOrchestrator, type RequestOf, search, type Tier, tierLimits } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { CallContext } from '@tds/kit';
import type { Deps } from '../deps.ts';
import type { Job } from '../store/jobs.ts';
import type { NewRow } from '../store/rows.ts';

export type NewJob = RequestOf<typeof bulkOrchestrator.createJob>;
export type Source = {
  readonly kind: 'video_ids' | 'channel' | 'playlist' | 'list';
  readonly videos: readonly NewRow[];
  /** Entries that could not be read. */
  readonly omitted: number;
};
type ListingRequest = Pick<NewJob, 'accountId' | 'keyId' | 'limitId' | 'tier'>;
type Input = { readonly input: string } & Pick<Job, 'contents' | 'newest'>;

const refuseTooMany = (count: number, tier: Tier) => {
  const max = tierLimits[tier].videosPerJob;
  if (count <= max) return;
  throw serviceError('job_size_cap', {
    message: `A job has at most ${max} videos in this tier. Send newest, or list the source and send video_ids in parts.`,
  });
};

const emptyList = (omitted: number) =>
  serviceError('empty_list', {
    message:
      omitted === 0
        ? 'The source has no videos.'
        : `The source has no video that can be read: ${omitted} of its entries could not be.`,
  });

/** The videos of a channel, a playlist or a list; null while it is being listed. Throws the refusal of a job of them. */
export const listInput = async (
  { call }: Deps,
  { input, contents, newest }: Input,
  { accountId, keyId, limitId, tier }: ListingRequest,
  waitMs: number,
  context: CallContext,
): Promise<Source | null> => {
  if (newest !== null) refuseTooMany(newest, tier);
  const page = await call(
    search.listVideos,
    {
      accountId,
      // Without a key it counts for the account.
      keyId: keyId ?? accountId,
      limitId: limitId ?? accountId,
      tier,
      input,
      contents,
      offset: 0,
      waitMs,
      startsNothing: false,
    },
    context,
  );
  if (page.state === 'pending') return null;
  if (page.videos.length === 0) throw emptyList(page.omitted ?? 0);
  // If another page follows, the source is larger than this page.
  const size = page.videos.length + (page.next_offset === null ? 0 : 1);
  if (newest === null) refuseTooMany(Math.max(page.total ?? 0, size), tier);
  // A listing may hold a video twice; a job has it once.
  const seen = new Set<string>();
  const unique = page.videos.filter(({ video_id: id }) => !seen.has(id) && seen.add(id));
  const videos = unique.slice(0, newest ?? undefined).map((video) => ({
    videoId: video.video_id,
    title: video.title,
    publishedAt: video.published_at,
  }));
  return { kind: page.source.kind, videos, omitted: page.omitted ?? 0 };
};

/** The videos of a new job. */
export const listSource = async (
  deps: Deps,
  job: NewJob,
  waitMs: number,
  context: CallContext,
): Promise<Source | null> => {
  if ('input' in job.source) return listInput(deps, job.source, job, waitMs, context);
  const ids = [...new Set(job.source.videoIds)];
  refuseTooMany(ids.length, job.tier);
  const { publishedAt: dates = {} } = job.source;
  const videos = ids.map((videoId) => ({ videoId, title: null, publishedAt: dates[videoId] ?? null }));
  return { kind: 'video_ids', videos, omitted: 0 };
};
