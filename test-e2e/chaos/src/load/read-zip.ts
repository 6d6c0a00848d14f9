import { createHash } from 'node:crypto';
import JSZip from 'jszip';

type Row = { readonly video_id: string; readonly output_file: string | null; readonly sha256: string | null };

const MANIFEST = /^[^/]+\/manifest\.json$/;

const compare = async (zip: JSZip, { video_id: id, output_file: name, sha256 }: Row): Promise<string[]> => {
  if (name === null) return [];
  const file = zip.file(name);
  if (file === null) return [`${id} is missing`];
  const digest = createHash('sha256')
    .update(await file.async('nodebuffer'))
    .digest('hex');
  return digest === sha256 ? [] : [`${id} is ${digest} instead of ${sha256}`];
};

/** What of a job's ZIP is not what its manifest says; nothing in a good one. */
export const brokenIn = async (bytes: Buffer): Promise<string[]> => {
  try {
    const zip = await JSZip.loadAsync(bytes, { checkCRC32: true });
    const manifest = await zip.file(MANIFEST)[0]?.async('string');
    if (manifest === undefined) return ['it has no manifest'];
    const { rows } = JSON.parse(manifest) as { rows: Row[] };
    return (await Promise.all(rows.map((row) => compare(zip, row)))).flat();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};
