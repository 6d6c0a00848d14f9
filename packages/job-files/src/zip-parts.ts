import { createZipWriter, type ZipEntry } from './zip-writer.ts';

const MEBIBYTE = 1024 * 1024;

/** A part of an archive has fewer bytes than this (specification, part 8). */
export const LARGEST_PART_BYTES = 80 * MEBIBYTE;

export type PartsOptions = {
  /** What every part begins with. */
  readonly head: readonly ZipEntry[];
  readonly files: AsyncIterable<ZipEntry>;
  /** The least size that no part reaches; a single file beyond it has a part of its own. */
  readonly limitBytes?: number;
};

/**
 * ZIPs that hold all files in their order, the next one begun where a file would make one too large; one ZIP with the head
 * alone if there is no file. Each has to be read to its end before the next is asked for. Only the file that is being written
 * is held.
 */
export async function* zipParts({
  head,
  files,
  limitBytes = LARGEST_PART_BYTES,
}: PartsOptions): AsyncGenerator<AsyncGenerator<Uint8Array>> {
  const source = files[Symbol.asyncIterator]();
  let next = await source.next();
  async function* part(): AsyncGenerator<Uint8Array> {
    const zip = createZipWriter();
    for (const entry of head) yield* zip.add(entry);
    for (let isFirst = true; !next.done; isFirst = false) {
      if (!isFirst && zip.bytesWith(next.value) >= limitBytes) break;
      yield* zip.add(next.value);
      next = await source.next();
    }
    yield zip.end();
  }
  try {
    do yield part();
    while (!next.done);
  } finally {
    await source.return?.();
  }
}
