import { createHash } from 'node:crypto';
import {
  type ArchivePart,
  type bulkOrchestrator,
  type ReplyOf,
  type ServiceError,
  type ServiceErrorData,
  secondsToNextUtcDay,
  serviceError,
  type Tier,
  type TranscriptFormat,
  tierLimits,
  transcriptFormats,
} from '@tds/contracts';
import { manifestEntries } from '@tds/job-files';

const MINUTE_MS = 60_000;
const MS = 1_000;

/** How long an archive is kept (specification, part 8), and how long it is known that one could not be built. */
export const KEPT_MS = 7 * 24 * 60 * MINUTE_MS;
/** How long who has failed is not tried again. */
const COOL_DOWN_MS = 60 * MINUTE_MS;
/** How long whoever reads an archive has to get to its end when there is a newer one. */
export const REPLACED_KEPT_MS = 10 * MINUTE_MS;
/** Longer than an attempt may take: what it was about to store is stored by then. */
export const LEFT_OVER_KEPT_MS = 60 * MINUTE_MS;

/** More than all attempts of a build and the pauses between them take. */
const LONGEST_BUILD_MS = 3 * 60 * MINUTE_MS;

/** Whether it has had the time of all its attempts; as long as it waits for others it has had none. */
export const isOverdue = ({ begunAt }: Pick<Archive, 'begunAt'>, now: Date): boolean =>
  begunAt !== null && now.getTime() - begunAt.getTime() > LONGEST_BUILD_MS;

/** What archives are of. */
export type ArchiveKey = {
  readonly accountId: string;
  readonly jobId: string;
  /** SHA-256 (hex) over all that the archive says and holds: see `contentsOf`. */
  readonly contents: string;
  readonly formats: readonly TranscriptFormat[];
};

export type Archive = ArchiveKey & {
  readonly id: string;
  readonly state: 'building' | 'ready' | 'failed';
  readonly parts: readonly ArchivePart[];
  readonly error: ServiceErrorData | null;
  readonly createdAt: Date;
  /** When its first attempt began; null while it waits. */
  readonly begunAt: Date | null;
  readonly endedAt: Date | null;
  readonly expiresAt: Date | null;
};

/** The order in which they are asked for makes no other archive. */
export const inOrder = (formats: readonly TranscriptFormat[]): TranscriptFormat[] =>
  transcriptFormats.filter((format) => formats.includes(format));

/** When an archive was begun: after the one before it, whatever the clocks of two instances say. */
export const begunAfter = (newest: Archive | null, now: Date): Date =>
  new Date(Math.max(now.getTime(), (newest?.createdAt.getTime() ?? 0) + 1));

const coolsDownFor = ({ endedAt }: Archive, now: Date): number =>
  (endedAt?.getTime() ?? 0) + COOL_DOWN_MS - now.getTime();

/** Whether an archive has to be built for whoever asks now; `newest` is the last one of what is asked for. */
export const mustBuild = (
  newest: Archive | null,
  { now, rebuild }: { readonly now: Date; readonly rebuild: boolean },
): boolean => {
  if (newest === null) return true;
  if (newest.state === 'building') return false;
  if (rebuild) return true;
  if (newest.expiresAt !== null && newest.expiresAt <= now) return true;
  return newest.state === 'failed' && coolsDownFor(newest, now) <= 0;
};

/** What whoever asks is told of an archive that has failed; it makes sense to ask again when it has cooled down. */
export const failureOf = (archive: Archive, now: Date) =>
  archive.error?.code === 'archive_source_changed'
    ? serviceError('archive_source_changed')
    : serviceError('archive_failed', {
        retryable: true,
        retryAfterSeconds: Math.max(1, Math.ceil(coolsDownFor(archive, now) / MS)),
      });

type Manifest = Pick<ReplyOf<typeof bulkOrchestrator.getJobManifest>, 'job' | 'rows'>;

/**
 * A digest over all that an archive says and holds: the formats, the job, and of each row its line of the manifest (position, name,
 * digest and the rest) and its file. Versions of jobs are not enough: after a database was put back they come twice.
 */
export const contentsOf = ({ job, rows }: Manifest, formats: readonly TranscriptFormat[]): string => {
  const { id, monitor_id, name, metadata, status, format } = job;
  const keys = new Map(rows.map(({ video_id, object_key }) => [video_id, object_key]));
  const lines = manifestEntries(rows, { format }).map((entry) => [entry, keys.get(entry.video_id)]);
  const text = JSON.stringify([formats, id, monitor_id, name, metadata, status, format, lines]);
  return createHash('sha256').update(text).digest('hex');
};

/** What an account has of archives. */
export type Kept = { readonly bytes: number; readonly firstExpiresAt: Date | null };

/** Why an account that keeps so much may begin no archive; null if it may. A place comes free when the next one expires. */
export const refusedByBytes = (
  { bytes, firstExpiresAt }: Kept,
  tier: Tier,
  now: Date,
): ServiceError | null => {
  if (bytes < tierLimits[tier].archiveBytes) return null;
  const waitMs = (firstExpiresAt?.getTime() ?? 0) - now.getTime();
  return serviceError('archive_cap', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / MS)) });
};

export const refusedByDay = (now: Date): ServiceError =>
  serviceError('archive_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
