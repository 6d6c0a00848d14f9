import type { LanguageDelivery, TranscriptFormat } from '@tds/contracts';
import { markdownFor } from '@tds/transcript-format';

/** Whether a file says what was asked for, so that it differs by row although its track is stored once. */
export const isMadePerRow = (format: TranscriptFormat): boolean => format === 'md';

/** The bytes that are delivered for a row, of the file of its track as it is stored. */
export const deliveredFile = (
  format: TranscriptFormat,
  stored: Buffer,
  language: LanguageDelivery,
): Buffer => (isMadePerRow(format) ? Buffer.from(markdownFor(stored.toString(), language)) : stored);
