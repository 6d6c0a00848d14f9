import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { answerOf } from '../domain/cache-entry.ts';
import { findSelections } from '../store/batch-rows.ts';

export const findCachedSelections = onCommand(
  transcriptFetcher.findCachedSelections,
  async ({ sql, now }: Deps, { videoIds, language, fallback }) => {
    const at = now();
    const entries = await findSelections(sql, [...new Set(videoIds)], language);
    const answers = entries.map((entry) => [entry.video.id, answerOf(entry, { fallback }, at)] as const);
    const idsOf = (wanted: string) => answers.flatMap(([id, { kind }]) => (kind === wanted ? [id] : []));
    return { cached: idsOf('hit'), failed: idsOf('failed') };
  },
);
