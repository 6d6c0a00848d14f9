import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { newsOf } from '../application/news.ts';
import type { Deps } from '../deps.ts';

export const readNews = onCommand(transcriptFetcher.readNews, (deps: Deps, { lineId, after }) =>
  newsOf(deps, lineId, after),
);
