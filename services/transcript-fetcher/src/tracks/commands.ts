import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { listCachedVideos } from './store/transcripts.ts';
import { findVideoFacts } from './store/videos.ts';

export const findCachedVideos = onCommand(
  transcriptFetcher.findCachedVideos,
  async ({ sql }: Deps, { videoIds }) => ({ cached: await listCachedVideos(sql, videoIds) }),
);

export const getVideoFacts = onCommand(transcriptFetcher.getVideoFacts, ({ db }: Deps, { videoId }) =>
  findVideoFacts(db, videoId),
);
