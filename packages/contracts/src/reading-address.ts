/** Words of an address: more of them find nothing else. */
const MAX_WORDS_LENGTH = 200;

type Reading = {
  readonly video: string;
  /** `orig` is the language that is spoken. */
  readonly language: string;
  /** A second of the video, and words that are said there. */
  readonly at?: number;
  readonly words?: string;
};

/** Where people read a transcript, below `/dashboard`. */
export const readingAddress = ({ video, language, at, words = '' }: Reading): string =>
  `/read?${new URLSearchParams({
    video,
    ...(language !== 'orig' && { language }),
    ...(at !== undefined && { at: String(at) }),
    ...(words && { words: [...words].slice(0, MAX_WORDS_LENGTH).join('') }),
  })}`;
