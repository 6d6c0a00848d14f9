import type { ArchiveFile, ArchivePart, ArchiveProgress } from './archive.ts';
import { saveArchive as refuseFiles } from './no-files.ts';
import { builtin } from './node.ts';

/** Writes the parts to `to`, or to `name-1.zip`, `name-2.zip` ... if there are several. Node only. */
export const saveArchive = async (
  parts: AsyncIterable<ArchivePart>,
  to: string,
  onProgress?: (progress: ArchiveProgress) => void,
): Promise<ArchiveFile[]> => {
  const files = builtin('node:fs/promises');
  if (!files) return refuseFiles();
  const archiveFiles: ArchiveFile[] = [];
  for await (const part of parts) {
    const path = part.of === 1 ? to : to.replace(/(\.zip)?$/i, `-${part.part}.zip`);
    // Only a checked ZIP gets the name.
    const unchecked = `${path}.download`;
    const file = await files.open(unchecked, 'w');
    try {
      let received = 0;
      for await (const chunk of part.chunks()) {
        await file.appendFile(chunk);
        received += chunk.length;
        onProgress?.({ part: part.part, of: part.of, received, bytes: part.bytes });
      }
      await file.sync();
      await file.close();
      await files.rename(unchecked, path);
    } catch (error) {
      await file.close().catch(() => {});
      await files.rm(unchecked, { force: true });
      throw error;
    }
    archiveFiles.push({ path, bytes: part.bytes, sha256: part.sha256 });
  }
  return archiveFiles;
};
