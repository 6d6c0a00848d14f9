import { parsePlatformAddress } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type ParsedFields, routes } from '@tds/http-api';
import { callRoute } from './call-route.ts';
import { getTranscript } from './get-transcript.ts';

/** The one video in the query. */
export const readVideo = ({ video_id, input, url }: ParsedFields<typeof routes.getVideo.query>): string => {
  const sources = [video_id, input, url].filter((value) => value !== undefined);
  if (sources.length === 0)
    throw serviceError('unknown_query_mode', { message: 'Send one of video_id, input and url.' });
  if (sources.length > 1) {
    throw serviceError('conflicting_query_modes', {
      message: 'Send exactly one of video_id, input and url.',
    });
  }
  if (video_id !== undefined) return video_id;
  const address = parsePlatformAddress(sources[0] as string);
  if (address === null) throw serviceError('invalid_video_id', { message: 'This is no address of a video.' });
  if (address.kind !== 'video') throw serviceError('single_video_required');
  return address.id;
};

export const transcriptRoutes = {
  getTranscript,

  getVideo: callRoute(routes.getVideo, { request: ({ query }) => ({ videoId: readVideo(query) }) }),

  listLanguages: callRoute(routes.listLanguages, {
    request: ({ query, isHead }) => ({ videoId: readVideo(query), cacheOnly: isHead }),
  }),
};
