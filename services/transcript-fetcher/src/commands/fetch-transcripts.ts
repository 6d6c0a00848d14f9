import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { fetchRows } from '../application/fetch-rows.ts';
import type { Deps } from '../deps.ts';

export const fetchTranscripts = onCommand(
  transcriptFetcher.fetchTranscripts,
  async (deps: Deps, request, context) => ({ rows: await fetchRows(deps, request, context) }),
);
