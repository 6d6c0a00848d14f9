import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import { renderAll } from '../batches/row-files.ts';
import type { Deps } from '../deps.ts';
import { listLanguages as list } from '../reads/list-languages.ts';
import { listCachedVideos } from './store/transcripts.ts';
import { findVideoFacts } from './store/videos.ts';

export const findCachedVideos = onCommand(
  transcriptFetcher.findCachedVideos,
  async ({ sql }: Deps, { videoIds }) => ({ cached: await listCachedVideos(sql, videoIds) }),
);

export const getVideoFacts = onCommand(transcriptFetcher.getVideoFacts, ({ db }: Deps, { videoId }) =>
  findVideoFacts(db, videoId),
);

export const listLanguages = onCommand(transcriptFetcher.listLanguages, list);

export const renderTranscripts = onCommand(
  transcriptFetcher.renderTranscripts,
  async (deps: Deps, { format, transcripts }, { accountId }) => ({
    rows: await renderAll(deps, transcripts, { format, accountId }),
  }),
);
