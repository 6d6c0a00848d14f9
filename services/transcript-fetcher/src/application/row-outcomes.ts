import type { BatchOutcome, BatchRow, ServiceErrorData } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { FoundRow, RowStanding } from '../domain/batch-row.ts';
import type { Hit } from '../domain/cache-entry.ts';
import type { RenderedFile } from '../domain/transcript.ts';
import { mapAtMost } from './at-most.ts';
import type { BatchRequest } from './open-rows.ts';
import { RENDERED_AT_ONCE } from './render-all.ts';
import { isLost } from './serve-cached.ts';
import { renderAndKeep } from './transcript-files.ts';

type Wanted = Pick<BatchRequest, 'language' | 'format'>;

/** A row, and what is known of it. */
export type StandingRow = readonly [row: FoundRow, standing: RowStanding];

/** What callers are told of these rows, but for those under way. */
export type RowOutcomes = {
  readonly outcomes: readonly BatchOutcome[];
  /** Those whose cues the object store has lost, and with them the file. */
  readonly lost: readonly LostFile[];
};

export type LostFile = { readonly row: FoundRow; readonly transcriptId: string };

type Stores = Pick<Deps, 'db' | 'objects'>;

/**
 * Renders the files that nobody has rendered, and those of cached rows that the object store has lost. It is not asked for rows that
 * are charged: those were stored for this batch.
 */
export async function outcomesOf(
  deps: Stores,
  wanted: Wanted,
  standings: readonly StandingRow[],
): Promise<RowOutcomes> {
  const cachedKeys = standings.flatMap(([, standing]) =>
    standing.kind === 'hit' && standing.charge === 0 ? (standing.hit.rendered?.objectKey ?? []) : [],
  );
  const existing = await deps.objects.existing(cachedKeys);
  const lostKeys = new Set(cachedKeys.filter((key) => !existing.has(key)));
  const lost: LostFile[] = [];
  const outcomes = await mapAtMost(RENDERED_AT_ONCE, standings, async ([row, standing]) => {
    try {
      return await outcomeOf(deps, wanted, row, withoutLost(standing, lostKeys));
    } catch (error) {
      if (standing.kind !== 'hit' || !isLost(error)) throw error;
      lost.push({ row, transcriptId: standing.hit.transcript.id });
      return null;
    }
  });
  return { outcomes: outcomes.filter((outcome) => outcome !== null), lost };
}

const withoutLost = (standing: RowStanding, lostKeys: ReadonlySet<string>): RowStanding =>
  standing.kind === 'hit' && lostKeys.has(standing.hit.rendered?.objectKey ?? '')
    ? { ...standing, hit: { ...standing.hit, rendered: null } }
    : standing;

/** Null if the row is under way. Throws `cache_object_missing` where its cues are lost. */
async function outcomeOf(
  deps: Stores,
  wanted: Wanted,
  { operationId }: BatchRow,
  standing: RowStanding,
): Promise<BatchOutcome | null> {
  if (standing.kind === 'failed') return toFailed(operationId, standing.error);
  if (standing.kind !== 'hit') return null;
  const { hit, charge } = standing;
  const file = hit.rendered ?? (await renderAndKeep(deps, hit.transcript, wanted.format)).file;
  return toDelivered(operationId, wanted, { ...hit, charge, file });
}

export const toFailed = (operationId: string, error: ServiceErrorData): BatchOutcome => ({
  operationId,
  state: 'failed',
  code: error.code,
  errorClass: error.errorClass,
  retryable: error.retryable,
  message: error.message,
  retryAfterSeconds: error.retryAfterSeconds ?? null,
});

type Delivered = Omit<Hit, 'rendered'> & { readonly charge: number; readonly file: RenderedFile };

const toDelivered = (
  operationId: string,
  { language, format }: Wanted,
  { transcript, choice, charge, file: { objectKey, bytes, sha256 } }: Delivered,
): BatchOutcome => ({
  ...{ operationId, state: 'delivered', charge, transcriptId: transcript.id },
  cache: charge > 0 ? 'MISS' : 'HIT',
  video: transcript.video,
  language: {
    requested: language,
    delivered: transcript.languageCode,
    kind: transcript.kind,
    fallback: choice.isFallback,
    translation: choice.translation,
  },
  strategy: transcript.strategy,
  ...{ format, objectKey, bytes, sha256 },
  fetchedAt: transcript.cachedAt.toISOString(),
});
