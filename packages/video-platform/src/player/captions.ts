import type { CaptionKind } from '@tds/contracts';
import { z } from 'zod';
import { bounds } from '../config/limits.ts';
import { bag, fittingItems, flag, index, list, stringOrNull, trackName } from '../reading/index.ts';
import { sameLanguage } from '../tracks/index.ts';
import type { PlatformTrack } from '../types.ts';

type ListedCaptions = { readonly languageCode: string; readonly kind: CaptionKind } | null;

/** What stands behind the dot of an audio's id: of the original, and of dubs by people and by machines. */
const ORIGINAL_MARK = '4';
const DUB_MARKS: ReadonlySet<string | undefined> = new Set(['3', '10']);
const markOf = ({ audioTrackId }: AudioTrack) => audioTrackId?.split('.')[1];
const languageOf = ({ audioTrackId }: AudioTrack) => audioTrackId?.split('.')[0] || null;
const isDub = (audio: AudioTrack) => DUB_MARKS.has(markOf(audio));

/** The default audio may be a dub into the asker's language. */
const findOriginal = (audioTracks: readonly AudioTrack[], defaultIndex: number | null): AudioTrack | null => {
  const defaultTrack = audioTracks[defaultIndex ?? 0];
  const original = audioTracks.find((audio) => markOf(audio) === ORIGINAL_MARK);
  return original ?? [defaultTrack, ...audioTracks].find((audio) => audio && !isDub(audio)) ?? null;
};

/** The language and captions of the audio that is no dub. */
const readDefaultAudio = (
  audioTracks: readonly AudioTrack[],
  defaultIndex: number | null,
  captions: readonly ListedCaptions[],
) => {
  const audio = findOriginal(audioTracks, defaultIndex);
  const audioLanguage = audio && languageOf(audio);
  const languageAt = (position: number) => captions[position]?.languageCode ?? '';
  const dubLanguages = audioTracks.filter(isDub).map((dub) => languageOf(dub) ?? '');
  const isSpeech = (track: ListedCaptions) =>
    track?.kind === 'asr' &&
    (audio !== null || !dubLanguages.some((code) => sameLanguage(code, track.languageCode)));
  const speech = captions.flatMap((track, position) => (isSpeech(track) ? [position] : []));
  const audioSpeech = audio === null ? speech : speech.filter((at) => audio.captionTrackIndices.includes(at));
  const inAudioLanguage =
    audioLanguage === null ? [] : audioSpeech.filter((at) => sameLanguage(languageAt(at), audioLanguage));
  const candidates = audioLanguage === null ? audioSpeech : inAudioLanguage;
  // Several recognised languages without a hint which one is spoken: none is the default.
  const speechIndices = new Set(candidates.map(languageAt)).size === 1 ? candidates : [];
  const speechIndex = speechIndices[0];
  return {
    language: audioLanguage ?? (speechIndex === undefined ? null : languageAt(speechIndex)),
    /** Positions of the recognised captions of this audio; dubbed videos have one per audio track. */
    speechIndices,
    defaultCaptionIndex: audio?.defaultCaptionTrackIndex ?? null,
  };
};

type DefaultAudio = ReturnType<typeof readDefaultAudio>;

/** Path and query of a caption address; its host is never used. */
const captionPath = z
  .string()
  .max(bounds.address)
  .transform((address, context) => {
    const url = URL.parse(address, 'https://host.invalid');
    if (url?.pathname.startsWith('/')) return `${url.pathname}${url.search}`;
    context.addIssue('not an address');
    return z.NEVER;
  });

const languageCode = z.string().regex(/^[A-Za-z0-9-]{1,35}$/);

const wireTrack = z.object({
  baseUrl: captionPath,
  languageCode,
  kind: z.literal('asr').nullish(),
  vssId: stringOrNull,
  name: trackName,
  trackName: stringOrNull,
  isTranslatable: flag,
});
type WireTrack = z.infer<typeof wireTrack>;

const wireAudio = z.object({
  captionTrackIndices: list(bounds.tracks),
  defaultCaptionTrackIndex: index,
  /** Language, a dot and a mark, such as `en-US.4`. */
  audioTrackId: stringOrNull,
});
type AudioTrack = z.output<typeof wireAudio>;

const wireLanguage = z.object({ languageCode });

const wireCaptions = z.object({
  captionTracks: z.array(z.unknown()).default([]),
  audioTracks: list(bounds.tracks),
  translationLanguages: list(bounds.translationLanguages),
  defaultAudioTrackIndex: index,
  defaultTranslationSourceTrackIndices: list(1),
});

export type ReadTrack = PlatformTrack & { readonly path: string };
export type ReadCaptions = {
  readonly tracks: readonly ReadTrack[];
  /** Of the default audio; null if the platform does not say it. */
  readonly spokenLanguage: string | null;
  readonly translationLanguages: readonly string[];
  /** False if the answer lists captions and none is readable: then it says nothing about the video. */
  readonly isReadable: boolean;
  readonly omitted: number;
};

const kindOf = (track: WireTrack): CaptionKind =>
  track.kind === 'asr' || track.vssId?.startsWith('a.') ? 'asr' : 'manual';

const plainVssId = (track: WireTrack) => `${kindOf(track) === 'asr' ? 'a' : ''}.${track.languageCode}`;

const withAudioMarks = (
  tracks: readonly (WireTrack | null)[],
  defaultAudio: DefaultAudio,
  translationSource: number | null,
): readonly ReadTrack[] => {
  const firstIndex = defaultAudio.defaultCaptionIndex ?? translationSource;
  return tracks.flatMap((track, position) =>
    track === null
      ? []
      : {
          languageCode: track.languageCode,
          kind: kindOf(track),
          name: track.name ?? track.languageCode,
          vssId: track.vssId || plainVssId(track),
          position,
          isNamed: Boolean(track.trackName) || (track.vssId ?? '').startsWith(`${plainVssId(track)}.`),
          isTranslatable: track.isTranslatable,
          isDefaultAudio:
            kindOf(track) === 'asr'
              ? defaultAudio.speechIndices.includes(position)
              : defaultAudio.language !== null && sameLanguage(track.languageCode, defaultAudio.language),
          isDefault: position === firstIndex,
          path: track.baseUrl,
        },
  );
};

const noCaptions = { tracks: [], spokenLanguage: null, translationLanguages: [], omitted: 0 };

/** Reads `captions`; undefined means none. Odd tracks and languages are left out and counted. */
export const readCaptions = (raw: unknown): ReadCaptions => {
  if (raw === undefined) return { ...noCaptions, isReadable: true };
  const wire = wireCaptions.safeParse(bag.parse(raw).playerCaptionsTracklistRenderer);
  if (!wire.success) return { ...noCaptions, isReadable: false };
  const { captionTracks } = wire.data;
  // Positions matter: audio tracks refer to captions by index.
  const tracks = captionTracks.slice(0, bounds.tracks).map((track) => wireTrack.safeParse(track).data ?? null);
  const audio = fittingItems(wireAudio, wire.data.audioTracks);
  const languages = fittingItems(wireLanguage, wire.data.translationLanguages);
  const listedCaptions = tracks.map(
    (track) => track && { languageCode: track.languageCode, kind: kindOf(track) },
  );
  const defaultAudio = readDefaultAudio(audio.items, wire.data.defaultAudioTrackIndex, listedCaptions);
  const translationSource = index.parse(wire.data.defaultTranslationSourceTrackIndices[0] ?? null);
  const readTracks = withAudioMarks(tracks, defaultAudio, translationSource);
  return {
    tracks: readTracks,
    spokenLanguage: languageCode.safeParse(defaultAudio.language).data ?? null,
    translationLanguages: languages.items.map((language) => language.languageCode),
    isReadable: readTracks.length > 0 || captionTracks.length === 0,
    omitted: captionTracks.length - readTracks.length + audio.omitted + languages.omitted,
  };
};
