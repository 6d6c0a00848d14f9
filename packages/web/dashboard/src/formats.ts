import type { TranscriptFormat } from '@transcript-delivery/sdk';

type Choice = readonly [format: TranscriptFormat, name: string];

/** What people read, embed and paste. The first one is chosen if they choose nothing. */
export const mainFormats: readonly Choice[] = [
  ['md', 'Text to read (Markdown)'],
  ['srt', 'Subtitles (.srt)'],
  ['clean', 'Plain text'],
];

/** What programs and players take. */
export const moreFormats: readonly Choice[] = [
  ['both', 'Text, then lines with times'],
  ['timestamped', 'Lines with times'],
  ['vtt', 'Subtitles (.vtt)'],
  ['json', 'JSON'],
];
