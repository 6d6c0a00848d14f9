import type { TranscriptSelection } from '@tds/contracts';
import type { TranscriptHead } from './transcript-entry.ts';

/** A poll knows no more of what it asks for than a format, if that. */
export type Asked = { readonly [Part in keyof TranscriptSelection]?: TranscriptSelection[Part] | undefined };

/** Whether a transcript, by what it says itself, is one that a caller asked for. */
export const isWhatWasAskedFor = (
  { video, language, format }: Pick<TranscriptHead, 'video' | 'language' | 'format'>,
  asked: Asked,
): boolean =>
  (asked.videoId ?? video.id) === video.id &&
  (asked.language ?? language.requested) === language.requested &&
  (asked.format ?? format) === format &&
  (asked.fallback !== false || !language.fallback);

/** Throws what becomes `unexpected_error`: a wrong transcript is never delivered and never kept. */
export function assertWhatWasAskedFor(
  head: Pick<TranscriptHead, 'video' | 'language' | 'format'>,
  asked: Asked,
): void {
  if (isWhatWasAskedFor(head, asked)) return;
  const { video, language, format } = head;
  const found = JSON.stringify({ videoId: video.id, language, format });
  throw new Error(`a transcript that was not asked for: ${found} for ${JSON.stringify(asked)}`);
}
