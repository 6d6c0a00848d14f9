export type { TranscriptInput } from './cues.ts';
export { normalizeCues, readingTime } from './cues.ts';
export {
  attachmentFileName,
  contentDisposition,
  contentTypes,
  fileExtensions,
  fileStem,
  publishedDay,
  safeFileTitle,
} from './file-names.ts';
export { markdownFor, renderTranscript } from './render-transcript.ts';
