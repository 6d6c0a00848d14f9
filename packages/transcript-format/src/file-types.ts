import type { TranscriptFormat } from '@tds/contracts';

export const contentTypes = {
  json: 'application/json; charset=utf-8',
  clean: 'text/plain; charset=utf-8',
  timestamped: 'text/plain; charset=utf-8',
  both: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
} as const satisfies Readonly<Record<TranscriptFormat, string>>;

/** Without the dot. */
export const fileExtensions: Readonly<Record<TranscriptFormat, string>> = {
  json: 'json',
  clean: 'txt',
  timestamped: 'txt',
  both: 'txt',
  srt: 'srt',
  vtt: 'vtt',
  md: 'md',
};
