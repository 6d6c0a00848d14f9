import type { ManifestEntry, TranscriptFormat } from '@tds/contracts';
import { type ManifestHead, manifestCsv, manifestJson } from './manifest.ts';
import { deflatedEntry, type ZipEntry } from './zip-writer.ts';

const SOURCE = 'Source/';

/** The folder of one format: the only one of an archive has none of its own. */
export const formatRoot = (format: TranscriptFormat, formats: readonly TranscriptFormat[]): string =>
  formats.length === 1 ? SOURCE : `${SOURCE}${format}/`;

/** Both manifests of one format, as every part of an archive holds them. */
export const manifestFiles = (
  root: string,
  head: ManifestHead,
  entries: readonly ManifestEntry[],
): ZipEntry[] => [
  deflatedEntry(`${root}manifest.json`, Buffer.from(manifestJson(head, entries))),
  deflatedEntry(`${root}manifest.csv`, Buffer.from(manifestCsv(entries))),
];
