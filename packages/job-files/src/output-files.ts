import type { ManifestRow, TranscriptFormat } from '@tds/contracts';
import { fileExtensions, fileStem } from '@tds/transcript-format';
import { languageOf } from './job-row.ts';

/** File systems of Windows and macOS take names for the same that differ by case, or by how accents are composed. */
const folded = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

/** Free names: the first one as it is, then ` (2)`, ` (3)` and so on. */
const createNames = () => {
  const taken = new Set<string>();
  /** Where a name was searched last: thousands of equal titles take no longer than different ones. */
  const next = new Map<string, number>();
  return (stem: string): string => {
    const key = folded(stem);
    let number = next.get(key) ?? 1;
    let name = stem;
    for (; taken.has(folded(name)); name = `${stem} (${number})`) number += 1;
    taken.add(folded(name));
    next.set(key, number);
    return name;
  };
};

/**
 * The paths of a job's files by video id: `transcripts/YYYY-MM-DD - Title.ext` for every row that was delivered, with ` (2)`
 * in the order of the rows where names would be the same. Safe on Linux, macOS and Windows, whatever the titles are.
 */
export const outputFiles = (
  rows: readonly ManifestRow[],
  format: TranscriptFormat,
): ReadonlyMap<string, string> => {
  const nameFor = createNames();
  const inOrder = rows.filter((row) => languageOf(row) !== null).toSorted((a, b) => a.position - b.position);
  return new Map(
    inOrder.map(({ video_id: id, title, published_at }) => {
      const stem = fileStem({ id, title, published_at });
      return [id, `transcripts/${nameFor(stem)}.${fileExtensions[format]}`];
    }),
  );
};
