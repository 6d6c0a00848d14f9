import type { getVideoFacts, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { toPublicFacts, unknownVideo } from '../domain/video-facts.ts';
import { findVideoFacts } from '../store/videos.ts';

export const getVideoFactsHandler =
  ({ db }: Deps) =>
  async ({ videoId }: RequestOf<typeof getVideoFacts>): Promise<ReplyOf<typeof getVideoFacts>> =>
    toPublicFacts((await findVideoFacts(db, videoId)) ?? unknownVideo(videoId));
