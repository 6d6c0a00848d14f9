import { hash } from 'node:crypto';
import { derivedId } from '@tds/contracts';

const HEXADECIMAL = /^[0-9a-f]{32}$/;
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** The public id of a monitor: its UUID without dashes. */
export const publicId = (id: string): string => id.replaceAll('-', '');

/** The database's id of a monitor; null for text that cannot be a public id. */
export const storedId = (publicId: string): string | null =>
  HEXADECIMAL.test(publicId) ? publicId.replace(UUID_PARTS, '$1-$2-$3-$4-$5') : null;

const DIGEST_LENGTH = 32;

/** Digests of video ids, not of numbers: a restored database assigns numbers anew. */
const digestOf = (text: string): string => hash('sha256', text).slice(0, DIGEST_LENGTH);

/** The idempotency key of a batch, so that repeated requests create one job. */
export const jobKeyOf = (monitorId: string, videoIds: readonly string[]): string =>
  `monitor:${monitorId}:${digestOf(videoIds.join())}`;

/** The id of new videos, by which receivers recognise them. */
export const toNewVideosId = (monitorId: string, videoIds: readonly string[]): string =>
  derivedId(monitorId, ...videoIds);
