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

type View =
  | 'billing'
  | 'connections'
  | 'jobs'
  | 'join'
  | 'keys'
  | 'monitors'
  | 'receivers'
  | 'settings'
  | 'webhooks';

/** The path of a page of the dashboard on its host: of a transcript, a view or one of its items, or the overview. */
export const dashboardPath = (page?: Reading | View, id?: string): string => {
  if (page === undefined) return '/dashboard';
  if (typeof page === 'object') return `/dashboard${readingAddress(page)}`;
  return `/dashboard/${id === undefined ? page : `${page}/${id}`}`;
};
