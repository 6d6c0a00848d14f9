export { countTokens, countWords } from './caption-text.ts';
export { citationTypes, formatCitation } from './citation.ts';
export type { TranscriptInput } from './cues.ts';
export { normalizeCues, readingTime, withoutWords } from './cues.ts';
export {
  attachmentFileName,
  contentDisposition,
  contentTypes,
  fileExtensions,
  fileStem,
  publishedDay,
} from './file-names.ts';
export { safeFileTitle } from './file-titles.ts';
export { type NotedVideo, readableLine, splitMarkdown, videoTitle, withFrontMatter } from './front-matter.ts';
export { escapeHeading, escapeName, markdownFor } from './markdown.ts';
export { listSentenceEnds } from './passage-ends.ts';
export { buildPassages, type ListedPassage, listPassages, type PassageTrack } from './passage-list.ts';
export type { CaptionStart, Passage } from './passages.ts';
export { RENDERERS, renderTranscript } from './render-transcript.ts';
export { SILENCE_MS } from './sections.ts';
export type { WordedText } from './timed-text.ts';
