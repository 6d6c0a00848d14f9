import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { toPublicFacts, unknownFacts } from './domain/video-facts.ts';
import { listLanguages as list } from './list-languages.ts';
import { renderAll } from './render-all.ts';
import { findVideoFacts, listCachedVideos } from './store/transcripts.ts';

export const findCachedVideos = onCommand(
  transcriptFetcher.findCachedVideos,
  async ({ sql }: Deps, { videoIds }) => ({ cached: await listCachedVideos(sql, videoIds) }),
);

export const getVideoFacts = onCommand(transcriptFetcher.getVideoFacts, async ({ db }: Deps, { videoId }) =>
  toPublicFacts((await findVideoFacts(db, videoId)) ?? unknownFacts(videoId)),
);

export const listLanguages = onCommand(
  transcriptFetcher.listLanguages,
  async (deps: Deps, request, context) => await list(deps, request, context),
);

export const renderTranscripts = onCommand(
  transcriptFetcher.renderTranscripts,
  async (deps: Deps, { format, transcripts }, { accountId }) => ({
    rows: await renderAll(deps, transcripts, { format, accountId }),
  }),
);
