import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { cachedAmong } from '../store/transcripts.ts';

export const findCachedVideos = onCommand(
  transcriptFetcher.findCachedVideos,
  async ({ sql }: Deps, { videoIds }) => ({ cached: await cachedAmong(sql, videoIds) }),
);
