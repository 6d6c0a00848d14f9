import {
  type ParsedFields,
  parsePlatformAddress,
  serviceError,
  transcriptFetcher,
  type video,
} from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { Surface } from '../surface.ts';
import type { RouteHandler } from './route-handler.ts';

const OK = 200;

/** The one video that the query names. */
export const videoOf = ({ video_id, input, url }: ParsedFields<(typeof video)['query']>): string => {
  const given = [video_id, input, url].filter((value) => value !== undefined);
  if (given.length === 0)
    throw serviceError('unknown_query_mode', { message: 'Send one of video_id, input and url.' });
  if (given.length > 1) {
    throw serviceError('conflicting_query_modes', {
      message: 'Send exactly one of video_id, input and url.',
    });
  }
  if (video_id !== undefined) return video_id;
  const address = parsePlatformAddress(given[0] as string);
  if (address === null) throw serviceError('invalid_video_id', { message: 'This is no address of a video.' });
  if (address.kind !== 'video') throw serviceError('single_video_required');
  return address.id;
};

export const getVideoRoute = (call: Call<Surface>): RouteHandler<typeof video> => ({
  async handle({ query, callContext }) {
    const facts = await call(transcriptFetcher.getVideoFacts, { videoId: videoOf(query) }, callContext);
    return jsonAnswer(OK, { ok: true, ...facts });
  },
});
