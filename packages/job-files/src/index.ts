export {
  csvTable,
  languageOf,
  type ManifestHead,
  type ManifestOptions,
  manifestCsv,
  manifestEntries,
  manifestJson,
  outputFiles,
} from './manifest.ts';
export {
  deliveredDigests,
  deliveredFile,
  inflatedFile,
  inGroups,
  isMadePerRow,
  type ReadAll,
  type StoredRow,
} from './stored-rows.ts';
export {
  deflatedEntry,
  formatRoot,
  MAX_PART_BYTES,
  manifestFiles,
  type ZipEntry,
  zipParts,
} from './zip.ts';
