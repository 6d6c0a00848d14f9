export type { TranscriptInput } from './cues.ts';
export { normalizeCues } from './cues.ts';
export {
  attachmentFileName,
  contentDisposition,
  contentTypes,
  fileExtensions,
  fileStem,
  publishedDay,
  safeFileTitle,
} from './file-names.ts';
export type { SecondsCue } from './render-transcript.ts';
export { markdownFor, renderTranscript, transcriptContent } from './render-transcript.ts';
