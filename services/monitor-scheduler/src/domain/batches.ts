import { createHash } from 'node:crypto';

/** Of videos. Numbers alone would not do: they are given anew where the database was put back. */
const DIGEST_LENGTH = 32;
const PARTS = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/;

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);

/** The same batch of a monitor has the same key, however often its job is asked for, so there is one job of it. */
export const jobKeyOf = (monitorId: string, videoIds: readonly string[]): string =>
  `monitor:${monitorId}:${digestOf(videoIds.join())}`;

/** The same news of a monitor have the same id, by which receivers know them. A UUID of version 8: of what it names. */
export const newsIdOf = (monitorId: string, videoIds: readonly string[]): string =>
  digestOf([monitorId, ...videoIds].join()).replace(PARTS, '$1-$2-8$3-8$4-$5');
