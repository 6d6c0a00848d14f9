import { routes } from '@tds/http-api';
import { readVideo } from '../../domain/read-video.ts';
import { callRoute } from '../serve/index.ts';
import { citeVideo } from './cite-video.ts';
import { getTranscript } from './get-transcript.ts';

export const transcriptRoutes = {
  getTranscript,

  getVideo: callRoute(routes.getVideo, { request: ({ query }) => ({ videoId: readVideo(query) }) }),

  citeVideo,

  listLanguages: callRoute(routes.listLanguages, {
    request: ({ query, isHead, principal: { accountCreatedAt } }) => ({
      videoId: readVideo(query),
      cacheOnly: isHead,
      accountCreatedAt,
    }),
  }),
};
