import type { CaptionKind } from '@tds/contracts';
import { sameLanguage } from '../tracks/language.ts';

export type AudioTrack = {
  readonly captionTrackIndices: readonly unknown[];
  readonly defaultCaptionTrackIndex: number | null;
  /** Language, a dot and a mark, such as `en-US.4`. */
  readonly audioTrackId: string | null;
};

export type DefaultAudio = {
  readonly language: string | null;
  /** Positions of the recognised captions of this audio; dubbed videos have one per audio track. */
  readonly speechIndices: readonly number[];
  readonly defaultCaptionIndex: number | null;
};

type Listed = { readonly languageCode: string; readonly kind: CaptionKind } | null;

/** What belongs to the audio that is played by default: the original of a dubbed video. */
export const readDefaultAudio = (
  audioTracks: readonly AudioTrack[],
  defaultIndex: number | null,
  captions: readonly Listed[],
): DefaultAudio => {
  const audio = audioTracks[defaultIndex ?? 0] ?? null;
  const speech = captions.flatMap((track, position) => (track?.kind === 'asr' ? [position] : []));
  const named = audio?.audioTrackId?.split('.')[0] || null;
  const languageAt = (position: number) => captions[position]?.languageCode ?? '';
  const ofAudio = audio === null ? speech : speech.filter((at) => audio.captionTrackIndices.includes(at));
  const inItsLanguage = named === null ? [] : ofAudio.filter((at) => sameLanguage(languageAt(at), named));
  const candidates = inItsLanguage.length > 0 ? inItsLanguage : ofAudio;
  // Several recognised languages and no hint which one is spoken: none is called the default.
  const speechIndices = new Set(candidates.map(languageAt)).size === 1 ? candidates : [];
  const heard = speechIndices[0];
  return {
    language: named ?? (heard === undefined ? null : languageAt(heard)),
    speechIndices,
    defaultCaptionIndex: audio?.defaultCaptionTrackIndex ?? null,
  };
};
