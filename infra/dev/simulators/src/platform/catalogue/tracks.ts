import { hashText } from './random.ts';
import type { AudioTrack, Track } from './video.ts';

/** What every client that lists translations widely offers: 156 codes, in the platform's own spelling. */
export const translationCodes: readonly string[] = (
  'ab aa af ak sq am ar hy as ay az bn ba eu be bho bs br bg my ca ceb zh-Hans zh-Hant co hr cs da dv nl dz en ' +
  'eo et ee fo fj fil fi fr gaa gl lg ka de el gn gu ht ha haw iw hi hmn hu is ig id iu ga it ja jv kl kn kk kha ' +
  'km rw ko kri ku ky lo la lv ln lt lua luo lb mk mg ms ml mt gv mi mr mn mfe ne new nso no ny oc or om os pam ' +
  'ps fa pl pt pt-PT pa qu ro rn ru sm sg sa gd sr crs sn sd si sk sl so st es su sw ss sv tg ta tt te th bo ti ' +
  'to ts tn tum tr tk uk ur ug uz ve vi war cy fy wo xh yi yo zu'
).split(' ');

/** The page offers two fewer. */
export const pageTranslationCodes = translationCodes.filter((code) => code !== 'pt-PT' && code !== 'mfe');

/** What the apps offer for an English source; for other sources it is English alone. */
export const shortTranslationCodes = 'ar zh-Hant nl en fr de hi id it ja ko pt ru es th tr uk vi'.split(' ');

const rightToLeft = new Set(['ar', 'iw', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv']);
export const isRightToLeft = (code: string): boolean => rightToLeft.has(code);

const ownNames: Record<string, string> = {
  'zh-Hans': 'Chinese (Simplified)',
  'zh-Hant': 'Chinese (Traditional)',
  'zh-TW': 'Chinese (Taiwan)',
};
const displayNames = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

/** The English name under `hl=en`. */
export const languageName = (code: string): string => ownNames[code] ?? displayNames.of(code) ?? code;

/** Speech recognition knows languages, not their regions or scripts. */
export const speechCode = (code: string): string => code.split('-')[0] ?? code;

/** The platform marks named tracks by an opaque suffix; it may hold dashes, so a vssId must not be split. */
const nameMark = (languageCode: string, trackName: string): string =>
  Buffer.from(`${hashText(`${languageCode}${trackName}`)}`.padStart(10, '0').slice(-8)).toString('base64url');

export const manualTrack = (languageCode: string, trackName = ''): Track => ({
  languageCode,
  kind: 'manual',
  trackName,
  vssId: trackName === '' ? `.${languageCode}` : `.${languageCode}.${nameMark(languageCode, trackName)}`,
  translatable: true,
});

export const speechTrack = (languageCode: string): Track => ({
  languageCode: speechCode(languageCode),
  kind: 'asr',
  trackName: '',
  vssId: `a.${speechCode(languageCode)}`,
  translatable: true,
});

/** One spoken track over all captions; its default is a manual track, in the spoken language if that is known. */
export const singleAudio = (tracks: readonly Track[]): AudioTrack[] => {
  if (tracks.length === 0) return [];
  const spoken = tracks.find((track) => track.kind === 'asr')?.languageCode;
  const isManual = ({ kind }: Track) => kind === 'manual';
  const written = tracks.findIndex((track) => isManual(track) && speechCode(track.languageCode) === spoken);
  const manual = written < 0 ? tracks.findIndex(isManual) : written;
  return [
    {
      captionTrackIndices: tracks.map((_, index) => index),
      ...(manual < 0 ? {} : { defaultCaptionTrackIndex: manual }),
    },
  ];
};

/** One spoken track per language, of which English is the original: each has the manual captions and its own recognised speech. */
export const dubbedAudio = (tracks: readonly Track[]): AudioTrack[] => {
  const manual = tracks.flatMap((track, index) => (track.kind === 'manual' ? [index] : []));
  return tracks.flatMap((track, index) =>
    track.kind === 'asr'
      ? [
          {
            audioTrackId: `${track.languageCode}.${track.languageCode === 'en' ? 4 : 3}`,
            captionTrackIndices: [...manual, index],
            defaultCaptionTrackIndex: index,
          },
        ]
      : [],
  );
};
