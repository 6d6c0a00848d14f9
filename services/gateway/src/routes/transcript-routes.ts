import { routes, transcriptFetcher } from '@tds/contracts';
import { callRoute } from './call-route.ts';
import { getTranscript } from './get-transcript.ts';
import { videoOf } from './video-of.ts';

export const transcriptRoutes = {
  getTranscript,

  getVideo: callRoute(routes.getVideo, transcriptFetcher.getVideoFacts, {
    request: ({ query }) => ({ videoId: videoOf(query) }),
    body: (facts) => facts,
  }),
};
