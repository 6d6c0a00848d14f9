import type { Answer, JobVideo, LibraryTranscript, Transcript } from '@transcript-delivery/sdk';

export type VideoFacts = Answer<'getVideo'>;

/** The language that is spoken: what a person wants who chose nothing. It is never a translation. */
export const SPOKEN = 'orig';

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** `Japanese (ja)`. Codes come from the platform, and some name no language. */
export const languageName = (code: string): string => {
  try {
    const name = names.of(code) ?? code;
    return name === code ? code : `${name} (${code})`;
  } catch {
    return code;
  }
};

/** What was asked for: a language, the spoken one, or several in order. */
export const wishName = (wish: string): string =>
  wish
    .split(',')
    .map((one) => (one === SPOKEN ? 'the spoken language' : languageName(one)))
    .join(', else ');

/** `en-GB` and `en`, `iw` and `he` are one tongue. */
const tongueOf = (code: string): string => {
  try {
    return new Intl.Locale(code).language;
  } catch {
    return code;
  }
};

/** Whether a wish is met in a language without a translation. */
export const isMetBy = (wish: string, code: string): boolean =>
  wish.split(',').some((one) => one === SPOKEN || tongueOf(one) === tongueOf(code));

type Delivery = Pick<Transcript, 'language'>['language'];

const byMachine = (delivered: string, isTranslated: boolean): string =>
  `${languageName(delivered)}${isTranslated ? ', translated by machine' : ''}`;

/** Why it is another language than the wanted one. Where the platform names no spoken language, the captions of the author are it. */
const whyOther = ({
  requested,
  translation,
  kind,
}: Pick<Delivery, 'requested' | 'translation'> & Partial<Delivery>): string => {
  if (requested === SPOKEN)
    return kind === 'manual' ? "the author's captions" : 'the video platform names no spoken language';
  return `because ${wishName(requested)} ${translation === 'refused' ? 'could not be translated now' : 'is not there'}`;
};

/** Which language this is, and why it is not the one that was wanted. */
export const languageSentence = ({ language }: Pick<Transcript, 'language'>): string => {
  const { delivered, kind, fallback, translation } = language;
  const isTranslated = translation === 'served';
  const how = kind === 'asr' && !isTranslated ? ', recognised speech' : '';
  const this_ = `${byMachine(delivered, isTranslated)}${how}`;
  return fallback ? `${this_}, ${whyOther(language)}` : this_;
};

/** The language of a transcript in a library. */
export const receivedLanguage = ({ language, translated }: LibraryTranscript): string =>
  byMachine(language, translated);

type Row = Pick<JobVideo, 'requested_language' | 'delivered_language' | 'fallback' | 'translation'>;

/** The language of a row of a job; null before its delivery. */
export const rowLanguage = (row: Row): string | null =>
  row.delivered_language && byMachine(row.delivered_language, row.translation === 'served');

/** Beside it, why it is another one. That the platform names no spoken language is the normal case of captions by the author. */
export const rowNote = ({ requested_language: requested, fallback, translation }: Row): string | null =>
  fallback && requested !== SPOKEN ? whyOther({ requested, translation: translation ?? 'unavailable' }) : null;

type Choice = readonly [code: string, name: string];
type Choices = {
  /** The spoken language, and what is chosen now if nothing below has it. */
  readonly first: readonly Choice[];
  readonly tracks: readonly Choice[];
  readonly translations: readonly Choice[];
};

/** Languages that the video platform translates captions to. */
const translatable =
  `af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu hi hr ht hu hy id is it iw ja jv ka kk km kn ko
  ky lo lt lv mg mk ml mn mr ms mt my ne nl no pa pl pt ro ru si sk sl so sq sr sv sw ta te th tr uk ur uz vi xh yo zh-Hans zh-Hant
  zu`.split(/\s+/);
const byName = (one: Choice, other: Choice): number => one[1].localeCompare(other[1]);

/** The tracks of a video that are no translations. */
const nativeLanguages = (facts: VideoFacts): readonly string[] => {
  const cached = facts.cached_languages.filter(({ translated }) => !translated);
  return [...new Set([...facts.caption_tracks, ...cached].map(({ language_code: code }) => code))];
};

/** The languages whose captions are cached, so that they are free. */
export const freeLanguages = ({ cached_languages: cached }: VideoFacts): readonly string[] => [
  ...new Set(cached.filter(({ translated }) => !translated).map(({ language_code: code }) => code)),
];

/** What can be chosen: first the language that is spoken, then the tracks of the video, then translations. */
export const languageChoices = (facts: VideoFacts | null, chosen: string): Choices => {
  const free = new Set(facts ? freeLanguages(facts) : []);
  const tracks = facts ? nativeLanguages(facts) : [];
  const translated = (code: string) =>
    facts?.cached_languages.some((one) => one.translated && one.language_code === code) ? ', cached' : '';
  const translations = translatable
    .filter((code) => !tracks.some((track) => tongueOf(track) === tongueOf(code)))
    .map((code): Choice => [code, `${languageName(code)}${translated(code)}`])
    .sort(byName);
  const spoken = facts?.original_language ? `: ${languageName(facts.original_language)}` : '';
  const listed = [SPOKEN, ...tracks, ...translations.map(([code]) => code)];
  return {
    first: [
      [SPOKEN, `The spoken language${spoken}`],
      ...(listed.includes(chosen) ? [] : [[chosen, wishName(chosen)] as const]),
    ],
    tracks: tracks.map((code) => [code, `${languageName(code)}${free.has(code) ? ', cached' : ''}`]),
    translations,
  };
};

/** Another name of the wanted language, under which it may be cached; null if none is known. A single language is the spoken one. */
export const otherName = (facts: VideoFacts, wish: string): string | null => {
  const { original_language: spoken } = facts;
  const [only = null, ...others] = nativeLanguages(facts);
  if (wish === SPOKEN) return spoken ?? (others.length === 0 ? only : null);
  return spoken !== null && isMetBy(wish, spoken) ? SPOKEN : null;
};

/** Before a transcript is bought: that it would be a translation; null if it would not, or if that is not known. */
export const translationWarning = (facts: VideoFacts, wish: string): string | null => {
  const tracks = facts.caption_tracks;
  if (tracks.length === 0 || tracks.some(({ language_code: code }) => isMetBy(wish, code))) return null;
  const spoken = facts.original_language;
  return `The video has no captions in ${wishName(wish)}: they would be translated by machine${spoken ? ` from ${languageName(spoken)}, which is spoken` : ''}.`;
};

/** Before a job is started: how many of its videos would be translated; null if none, or if nothing is known. */
export const jobTranslationWarning = (
  videos: readonly { readonly original_language: string | null }[],
  wish: string,
): string | null => {
  if (wish.split(',').includes(SPOKEN) || videos.length === 0) return null;
  const known = videos.filter(({ original_language: spoken }) => spoken !== null);
  const others = known.filter(({ original_language: spoken }) => !isMetBy(wish, spoken ?? ''));
  const unknown = videos.length - known.length;
  const what = 'where captions in it are missing, they are translated by machine.';
  if (others.length === 0)
    return unknown === 0 ? null : `Videos that are spoken in another language than ${wishName(wish)}: ${what}`;
  const some = `${others.length} of ${videos.length} are spoken in another language than you chose`;
  return `${some}${unknown > 0 ? `, and ${unknown} may be` : ''}: ${what}`;
};
