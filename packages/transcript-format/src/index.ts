export { attachmentFileName, fileStem } from './attachment-file-name.ts';
export { contentDisposition } from './content-disposition.ts';
export { contentTypes, fileExtensions } from './file-types.ts';
export type { SecondsCue } from './formats/json.ts';
export { markdownFor } from './formats/markdown.ts';
export { normalizeCues } from './normalize-cues.ts';
export { renderTranscript, transcriptContent } from './render-transcript.ts';
export { safeFileTitle } from './safe-file-title.ts';
export type { TranscriptInput } from './transcript-input.ts';
