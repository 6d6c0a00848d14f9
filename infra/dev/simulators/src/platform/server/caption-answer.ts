import { findTrack } from '../catalogue/catalogue.ts';
import { type Cue, nativeCues, translateCues } from '../catalogue/cues.ts';
import { translationCodes } from '../catalogue/tracks.ts';
import type { Track, Video } from '../catalogue/video.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';
import { captionFormat } from '../timedtext/formats.ts';
import { isGenuine, needsToken } from '../wire/caption-url.ts';
import { plainPage, sorryPage } from '../wire/pages.ts';
import { type Answer, htmlAnswer } from './answer.ts';
import type { Simulation } from './simulation.ts';

const TOO_MANY_REQUESTS = 429;
const offeredCodes = new Set(translationCodes);

const refusedPage = (status: number): Answer => htmlAnswer(plainPage(`Error ${status}`), status);

/** Why a track is not translated into `target`; undefined if it is. */
const translationRefusal = (video: Video, track: Track, target: string): Answer | undefined => {
  if (video.translation === 'refused') return htmlAnswer(sorryPage(), TOO_MANY_REQUESTS);
  const offered = track.translatable && video.translation !== 'unlisted' && offeredCodes.has(target);
  return offered ? undefined : refusedPage(400);
};

/** Asked for a translation into its own language the platform returns damaged text. */
const damageCues = (cues: readonly Cue[]): Cue[] =>
  cues.map((cue) => ({ ...cue, text: `\ufffd${cue.text.slice(1, 3)}\ufffd` }));

const cuesIn = (track: Track, native: readonly Cue[], target: string): readonly Cue[] => {
  if (target === '') return native;
  return target === track.languageCode ? damageCues(native) : translateCues(native, target);
};

const writeCaptions = (seed: number, video: Video, track: Track, parameters: URLSearchParams): Answer => {
  const target = parameters.get('tlang') ?? '';
  const refusal = target === '' ? undefined : translationRefusal(video, track, target);
  if (refusal) return refusal;
  const format = captionFormat(parameters.get('fmt'));
  const body = format.write({
    kind: track.kind,
    lengthMs: video.lengthSeconds * 1000,
    style: video.cueStyle,
    translated: target !== '',
    cues: cuesIn(track, nativeCues(video, track, seed), target),
  });
  return { status: 200, contentType: format.contentType, body };
};

/** The captions that a URL of ours stands for; a URL that was tampered with gets 403. */
export const captionAnswer = ({ seed, now, content }: Simulation, request: PlatformRequest): Answer => {
  const { parameters, videoId, hasToken } = request;
  if (!isGenuine(parameters, seed, now())) return refusedPage(403);
  if (needsToken(parameters) && !hasToken) return htmlAnswer('');
  const video = content.video(videoId);
  const kind = parameters.get('kind') === 'asr' ? 'asr' : 'manual';
  const track = video && findTrack(video, parameters.get('lang') ?? '', kind, parameters.get('name') ?? '');
  return track ? writeCaptions(seed, video, track, parameters) : refusedPage(404);
};
