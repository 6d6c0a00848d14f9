import { TranscriptsError } from './errors.ts';

/** In the place of `save-archive.ts` in bundles for pages, by `browser` in package.json. */
export const saveArchive = async (): Promise<never> => {
  throw new TranscriptsError('There are no files here: use archiveParts() and its streams');
};
