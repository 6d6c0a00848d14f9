import { transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { citationTypes, formatCitation } from '@tds/transcript-format';
import { readVideo } from '../../domain/read-video.ts';
import { callRoute, createAnswers, onRoute } from '../serve/index.ts';
import { getTranscript } from './get-transcript.ts';

const answers = createAnswers(routes.citeVideo);

/** A reference to a video from its known facts. Throws `video_not_known`, and `invalid_at` for a second behind its end. */
const citeVideo = onRoute(routes.citeVideo, async ({ call, now }, { query, callContext }) => {
  const { format, at = null } = query;
  const { video } = await call(transcriptFetcher.getVideoFacts, { videoId: readVideo(query) }, callContext);
  if (video.title === null && video.channel_title === null) throw serviceError('video_not_known');
  if (at !== null && video.duration !== null && at > video.duration) {
    throw serviceError('invalid_at', { message: `The video ends after ${video.duration} seconds.` });
  }
  const citation = formatCitation(video, format, { at, accessed: now() });
  return answers.composed(citationTypes[format], citation);
});

const getVideo = callRoute(routes.getVideo, { request: ({ query }) => ({ videoId: readVideo(query) }) });

const listLanguages = callRoute(routes.listLanguages, {
  request: ({ query, isHead, principal: { accountCreatedAt } }) => ({
    videoId: readVideo(query),
    cacheOnly: isHead,
    accountCreatedAt,
  }),
});

export const transcriptRoutes = { getTranscript, getVideo, citeVideo, listLanguages };
