export { formatRoot, manifestFiles } from './archive-layout.ts';
export { csvTable } from './csv.ts';
export { deliveredFile, isMadePerRow } from './delivered-file.ts';
export { languageOf } from './job-row.ts';
export {
  type ManifestHead,
  type ManifestOptions,
  manifestCsv,
  manifestEntries,
  manifestJson,
} from './manifest.ts';
export { outputFiles } from './output-files.ts';
export {
  deliveredDigests,
  inflatedFile,
  inGroups,
  type ReadAll,
  type StoredRow,
} from './stored-rows.ts';
export { LARGEST_PART_BYTES, zipParts } from './zip-parts.ts';
export { deflatedEntry, type ZipEntry } from './zip-writer.ts';
