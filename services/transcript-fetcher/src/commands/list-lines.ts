import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { listLines as list } from '../store/lines.ts';

export const listLines = onCommand(transcriptFetcher.listLines, async ({ sql }: Deps, { after, limit }) => ({
  lines: await list(sql, after, limit),
}));
