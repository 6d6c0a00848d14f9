import { hashText } from '../catalogue/random.ts';
import { byClient, type Playability, type Video } from '../catalogue/video.ts';
import { captionList } from './caption-list.ts';
import type { CaptionUrlContext } from './caption-url.ts';
import { type ClientName, clientRow } from './clients.ts';
import { playabilityStatus, unavailable } from './playability.ts';
import { microformat, videoDetails } from './video-details.ts';

export const visitorData = (salt: string): string =>
  Buffer.from(`simulated visitor ${hashText(salt)}`).toString('base64url');

export const responseContext = (client: ClientName, salt: string) => ({
  visitorData: visitorData(salt),
  serviceTrackingParams: [{ service: 'CSI', params: [{ key: 'c', value: client }] }],
  maxAgeSeconds: 0,
});

const refusal = (playability: Playability, client: ClientName, video?: Video) => ({
  responseContext: responseContext(client, playability.status),
  playabilityStatus: playabilityStatus(playability),
  ...(video && !playability.hidesDetails ? { videoDetails: videoDetails(video) } : {}),
});

/** An answer that speaks of the route alone, whatever the video. */
export const refusedAnswer = (playability: Playability, client: ClientName) => refusal(playability, client);

/** The answer of the player endpoint about a video, or about an id that names none. */
export const playerAnswer = (video: Video | undefined, context: CaptionUrlContext) => {
  const { client } = context;
  const playability = video ? byClient(video.playability, client) : unavailable;
  if (!video || playability) return refusal(playability ?? unavailable, client, video);
  const captions = captionList(video, context);
  return {
    responseContext: responseContext(client, video.id),
    playabilityStatus: playabilityStatus(),
    ...(captions === undefined ? {} : { captions }),
    videoDetails: videoDetails(video),
    ...(clientRow(client).microformat ? { microformat: microformat(video) } : {}),
    trackingParams: 'CAAQu2kiEwjSimulated',
  };
};
