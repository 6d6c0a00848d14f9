import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { toPublicFacts, unknownVideo } from '../domain/video-facts.ts';
import { findVideoFacts } from '../store/videos.ts';

export const getVideoFacts = onCommand(transcriptFetcher.getVideoFacts, async ({ db }: Deps, { videoId }) =>
  toPublicFacts((await findVideoFacts(db, videoId)) ?? unknownVideo(videoId)),
);
