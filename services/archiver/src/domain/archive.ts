import { createHash } from 'node:crypto';
import {
  type ArchivePart,
  type bulkOrchestrator,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type ReplyOf,
  SECOND_MS,
  secondsToNextUtcDay,
  type Tier,
  type TranscriptFormat,
  tierLimits,
  transcriptFormats,
} from '@tds/contracts';
import { type ServiceError, type ServiceErrorData, serviceError } from '@tds/errors';
import { manifestEntries } from '@tds/job-files';

/** How long an archive or its failure is kept (specification, part 8). */
export const KEPT_MS = 7 * DAY_MS;
/** How long a failed archive is not built again. */
const COOL_DOWN_MS = HOUR_MS;
/** How long an archive stays readable after a newer one replaces it. */
export const REPLACED_KEPT_MS = 10 * MINUTE_MS;
/** Longer than an attempt: what it was storing is stored by then. */
export const LEFT_OVER_KEPT_MS = HOUR_MS;

/** Longer than all attempts of a build and their pauses. */
const MAX_BUILD_MS = 3 * HOUR_MS;

/** Whether the build took longer than all its attempts may. A build that waits for others has not begun. */
export const isOverdue = ({ begunAt }: Pick<Archive, 'begunAt'>, now: Date): boolean =>
  begunAt !== null && now.getTime() - begunAt.getTime() > MAX_BUILD_MS;

/** Files in a ZIP, files with front matter, or all transcripts in one text. */
type ArchiveForm = {
  readonly kind: 'files' | 'notes' | 'document';
  /** Of a part of a document; null if it has no parts. */
  readonly maxWords: number | null;
};

/** Identifies the contents of an archive. */
export type ArchiveKey = {
  readonly accountId: string;
  readonly jobId: string;
  /** SHA-256 (hex) over the contents: see `digestContents`. */
  readonly contents: string;
  readonly formats: readonly TranscriptFormat[];
} & ArchiveForm;

export type Archive = ArchiveKey & {
  readonly id: string;
  readonly state: 'building' | 'ready' | 'failed';
  readonly parts: readonly ArchivePart[];
  readonly error: ServiceErrorData | null;
  readonly createdAt: Date;
  /** When its first attempt began; null while it waits for others. */
  readonly begunAt: Date | null;
  readonly endedAt: Date | null;
  readonly expiresAt: Date | null;
};

/** The formats in a fixed order, so that their order in the request makes no other archive. */
export const sortFormats = (formats: readonly TranscriptFormat[]): TranscriptFormat[] =>
  transcriptFormats.filter((format) => formats.includes(format));

/** The creation time of a new archive: after the one before, even if clocks of instances differ. */
export const nextCreatedAt = (newest: Archive | null, now: Date): Date =>
  new Date(Math.max(now.getTime(), (newest?.createdAt.getTime() ?? 0) + 1));

const coolsDownFor = ({ endedAt }: Archive, now: Date): number =>
  (endedAt?.getTime() ?? 0) + COOL_DOWN_MS - now.getTime();

/** Whether an archive must be built now; `newest` is the last one of these contents. */
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

/** The error of a failed archive, with the time until it may be built again. */
export const buildFailure = (archive: Archive, now: Date) =>
  archive.error?.code === 'archive_source_changed'
    ? serviceError('archive_source_changed')
    : serviceError('archive_failed', {
        retryable: true,
        retryAfterSeconds: Math.max(1, Math.ceil(coolsDownFor(archive, now) / SECOND_MS)),
      });

type Manifest = Pick<ReplyOf<typeof bulkOrchestrator.getJobManifest>, 'job' | 'rows'>;

/**
 * A digest over the contents of an archive: formats, job, and for each row its manifest entry and its file. Versions of jobs are not
 * enough, because they repeat after a restore.
 */
export const digestContents = (
  { job, rows }: Manifest,
  { formats, kind, maxWords }: Pick<ArchiveKey, 'formats'> & ArchiveForm,
): string => {
  const { id, monitor_id, name, metadata, status, format } = job;
  const keys = new Map(rows.map(({ video_id, object_key }) => [video_id, object_key]));
  const lines = manifestEntries(rows, { format }).map((entry) => [entry, keys.get(entry.video_id)]);
  const form = kind === 'files' ? [] : [kind, maxWords];
  const text = JSON.stringify([formats, id, monitor_id, name, metadata, status, format, lines, ...form]);
  return createHash('sha256').update(text).digest('hex');
};

/** The archives that an account keeps. */
export type StoredBytes = { readonly bytes: number; readonly firstExpiresAt: Date | null };

/** Refuses an account that keeps too many bytes, until the next archive expires; null if it may build. */
export const byteCapRefusal = (
  { bytes, firstExpiresAt }: StoredBytes,
  tier: Tier,
  now: Date,
): ServiceError | null => {
  if (bytes < tierLimits[tier].archiveBytes) return null;
  const waitMs = (firstExpiresAt?.getTime() ?? 0) - now.getTime();
  return serviceError('archive_cap', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)) });
};

export const dailyCapRefusal = (now: Date): ServiceError =>
  serviceError('archive_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
