import { transcriptFetcher } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const rowsEnded = onBroadcast(
  transcriptFetcher.rowsEnded,
  async ({ news }: Pick<Deps, 'news'>, { lines }) => {
    for (const { lineId, version, isOver } of lines) news.hear(lineId, version, isOver);
  },
);
