import type { Outcome } from '../special-videos.ts';
import { readCues } from './caption-readers.ts';
import {
  captionAddress,
  fetchText,
  type PlatformText,
  type PlayerAnswer,
  postPlayer,
} from './platform-client.ts';

const isSorry = ({ status, text }: PlatformText): boolean => status === 429 || text.includes('g-recaptcha');

const classifyRefusal = (answer: PlayerAnswer): Outcome | undefined => {
  const { status, reason = '', errorScreen } = answer.playabilityStatus ?? { status: 'none' };
  if (errorScreen && 'playerCaptchaViewModel' in errorScreen) return 'IpBlocked';
  if (reason.includes('not a bot')) return 'IpBlocked';
  if (reason.includes('try again later')) return 'RateLimited';
  if (status === 'LIVE_STREAM_OFFLINE') return 'NotYet';
  if (['LOGIN_REQUIRED', 'ERROR', 'UNPLAYABLE', 'AGE_VERIFICATION_REQUIRED'].includes(status))
    return 'Unavailable';
  return status === 'OK' ? undefined : 'UpstreamError';
};

const readTrack = async (origin: string, answer: PlayerAnswer, init: RequestInit): Promise<Outcome> => {
  const [track] = answer.captions?.playerCaptionsTracklistRenderer.captionTracks ?? [];
  if (!track) return answer.videoDetails?.isLive ? 'NotYet' : 'NoCaptions';
  const captions = await fetchText(captionAddress(origin, track.baseUrl, 'json3'), init);
  if (isSorry(captions)) return 'IpBlocked';
  if (captions.text === '') return 'PoTokenRequired';
  return readCues('json3', captions.text).length > 0 ? 'Transcript' : 'UpstreamError';
};

const consentCookie = (text: string): string | undefined =>
  text.includes('consent.youtube.com/s') ? /name="v" value="([^"]+)"/.exec(text)?.[1] : undefined;

const askClient = async (origin: string, client: string, id: string): Promise<Outcome> => {
  const first = await postPlayer(origin, client, id);
  const consent = consentCookie(first.text);
  const init: RequestInit = consent ? { headers: { cookie: `CONSENT=YES+${consent}` } } : {};
  const reply = consent ? await postPlayer(origin, client, id, init) : first;
  if (isSorry(reply)) return 'IpBlocked';
  const answer: PlayerAnswer = JSON.parse(reply.text);
  const refusal = classifyRefusal(answer);
  if (refusal) return refusal;
  return answer.videoDetails?.videoId === id ? readTrack(origin, answer, init) : 'UpstreamError';
};

/** A minimal reader: what one client's answers let it conclude about a video. */
export const conclude = async (origin: string, client: string, id: string): Promise<Outcome> => {
  try {
    return await askClient(origin, client, id);
  } catch {
    // Timeouts, resets, broken compression and broken JSON: none of these answers can be used.
    return 'UpstreamError';
  }
};
