import { findVideoLinks, MOST_RESOLVED_VIDEOS, routes, search, serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import { askingOf } from './asking.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.resolveVideos);

/** Finds what the text names here, so that only ids travel on. */
export const resolveVideos = onRoute(
  routes.resolveVideos,
  async ({ call }: Pick<Deps, 'call'>, { body, principal, callContext }) => {
    const { videoIds, others, isTooMany } = findVideoLinks(body.text, MOST_RESOLVED_VIDEOS);
    if (isTooMany) throw serviceError('list_too_large');
    if (videoIds.length === 0 && others.length === 0) {
      throw serviceError('empty_list', { message: 'The text names no videos.' });
    }
    const asked = { ...askingOf(principal), videoIds: [...videoIds] };
    const { found, notFound, untold, list } = await call(search.resolveVideos, asked, callContext);
    const answer = answers.json({
      found,
      notFound: [
        ...notFound.map((id) => ({ value: id, video_id: id, reason: 'unavailable' as const })),
        ...untold.map((id) => ({ value: id, video_id: id, reason: 'try_again' as const })),
        ...others.map(({ value, reason }) => ({ value, video_id: null, reason })),
      ],
      list,
    });
    return compressible(answer);
  },
);
