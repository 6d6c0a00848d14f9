import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { lineVersions as find } from '../store/lines.ts';

export const lineVersions = onCommand(transcriptFetcher.lineVersions, async ({ sql }: Deps, { lineIds }) => ({
  lines: await find(sql, lineIds),
}));
