import { createHash } from 'node:crypto';

const PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const HEXADECIMAL = /^[0-9a-f]{32}$/;

/** As everybody but this database knows it. */
export const publicId = (id: string): string => id.replaceAll('-', '');

/** As the database knows it; null where it can be nobody's. */
export const storedId = (publicId: string): string | null =>
  HEXADECIMAL.test(publicId) ? publicId.replace(PARTS, '$1-$2-$3-$4-$5') : null;

/** Of videos. Numbers alone would not do: they are given anew where the database was put back. */
const DIGEST_LENGTH = 32;
const PARTSBatches = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/;

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);

/** The same batch of a monitor has the same key, however often its job is asked for, so there is one job of it. */
export const jobKeyOf = (monitorId: string, videoIds: readonly string[]): string =>
  `monitor:${monitorId}:${digestOf(videoIds.join())}`;

/** The same news of a monitor have the same id, by which receivers know them. A UUID of version 8: of what it names. */
export const newsIdOf = (monitorId: string, videoIds: readonly string[]): string =>
  digestOf([monitorId, ...videoIds].join()).replace(PARTSBatches, '$1-$2-8$3-8$4-$5');
