export type { NotedVideo } from '@tds/transcript-format';
export {
  type ArchiveFormat,
  archiveFolder,
  archiveHead,
  documentTitle,
  fileDay,
  formatRoot,
} from './archive-head.ts';
export { type DocumentFormat, type DocumentVideo, documentParts, documentText } from './document.ts';
export {
  csvTable,
  languageOf,
  type ManifestOptions,
  manifestCsv,
  manifestEntries,
  outputFiles,
} from './manifest.ts';
export {
  computeDigests,
  type DeliveredFile,
  inflateFile,
  isMadePerRow,
  type ReadAll,
  toGroups,
  toNote,
} from './stored-rows.ts';
export { MAX_PART_BYTES, type ZipEntry, zipParts } from './zip.ts';
