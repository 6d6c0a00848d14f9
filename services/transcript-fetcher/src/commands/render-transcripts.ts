import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { renderAll } from '../application/render-all.ts';
import type { Deps } from '../deps.ts';

export const renderTranscripts = onCommand(
  transcriptFetcher.renderTranscripts,
  async (deps: Deps, { format, transcripts }, { accountId }) => ({
    rows: await renderAll(deps, transcripts, { format, accountId }),
  }),
);
