export { type ArchiveFormat, archiveFolder, archiveHead, fileDay, formatRoot } from './archive-head.ts';
export {
  csvTable,
  languageOf,
  type ManifestOptions,
  manifestCsv,
  manifestEntries,
  outputFiles,
} from './manifest.ts';
export {
  buildDeliveredFile,
  computeDigests,
  inflateFile,
  isMadePerRow,
  type ReadAll,
  type StoredRow,
  toGroups,
} from './stored-rows.ts';
export { MAX_PART_BYTES, type ZipEntry, zipParts } from './zip.ts';
