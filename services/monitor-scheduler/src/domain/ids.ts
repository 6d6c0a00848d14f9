import { createHash } from 'node:crypto';

const HEXADECIMAL = /^[0-9a-f]{32}$/;
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** The public id of a monitor: its UUID without dashes. */
export const publicId = (id: string): string => id.replaceAll('-', '');

/** The database's id of a monitor; null for text that cannot be a public id. */
export const storedId = (publicId: string): string | null =>
  HEXADECIMAL.test(publicId) ? publicId.replace(UUID_PARTS, '$1-$2-$3-$4-$5') : null;

const DIGEST_LENGTH = 32;
const UUID_WITHOUT_VERSION = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/;

/** Digests of video ids, not of numbers: a restored database assigns numbers anew. */
const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);

/** The idempotency key of a batch, so that repeated requests create one job. */
export const jobKeyOf = (monitorId: string, videoIds: readonly string[]): string =>
  `monitor:${monitorId}:${digestOf(videoIds.join())}`;

/** The id of new videos, by which receivers recognise them: a UUID of version 8, derived from monitor and videos. */
export const toNewVideosId = (monitorId: string, videoIds: readonly string[]): string =>
  digestOf([monitorId, ...videoIds].join()).replace(UUID_WITHOUT_VERSION, '$1-$2-8$3-8$4-$5');
