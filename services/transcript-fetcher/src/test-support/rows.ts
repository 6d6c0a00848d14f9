import { randomUUID } from 'node:crypto';
import type { ServiceErrorData } from '@tds/errors';
import type { StartedFetch } from '../domain/fetch.ts';
import type { OperationState, Priority } from '../domain/operation.ts';
import { type End, endRows } from '../fetches/store/end-rows.ts';
import {
  beginFetches,
  claimRows,
  holdRows,
  type OpenedRow,
  type OpenRequest,
  openRows,
} from '../fetches/store/rows.ts';
import { measureText } from '../tracks/domain/text-measures.ts';
import { rendered, selection, transcript, video } from './cached.ts';
import { freshVideo, type Tables } from './tables.ts';

export const DAY = '2026-11-20';
const head = { language: 'en', fallback: true, format: 'srt' } as const;

type RequestedRow = OpenRequest['rows'][number];

export const toRows = (videoIds: readonly string[], overrides: Partial<RequestedRow> = {}): RequestedRow[] =>
  videoIds.map((videoId, position) => ({ id: randomUUID(), position, videoId, price: 1, ...overrides }));

export const freshVideos = (count: number): string[] => Array.from({ length: count }, freshVideo);

/** A request to open rows of a job, with unlimited scopes. */
export const toOpenRequest = (overrides: Partial<OpenRequest> = {}): OpenRequest => ({
  priority: 'jobs',
  batchId: randomUUID(),
  accountId: randomUUID(),
  keyId: null,
  ...head,
  reservation: randomUUID(),
  day: DAY,
  scopes: [{ name: `key:${randomUUID()}`, limit: 1_000 }],
  rows: toRows(freshVideos(3)),
  ...overrides,
});

/** A read of one video. */
export const toRead = (videoId = freshVideo(), overrides: Partial<OpenRequest> = {}): OpenRequest => {
  const id = randomUUID();
  const rows = [{ id, position: 0, videoId, price: 1 as const }];
  return toOpenRequest({ priority: 'reads', batchId: null, reservation: id, rows, ...overrides });
};

/** A row of `operations` with its changes. */
export type OperationRow = {
  readonly id: string;
  readonly state: OperationState;
  readonly charge: number;
  readonly price: number;
  readonly transcript_id: string | null;
  readonly reported_to: string | null;
  readonly error: ServiceErrorData | null;
  readonly changeVersion: number;
};

/** The end of a fetch: a new English track, unless `overrides`. */
export const toEnd = ({ fetchId, videoId, language }: StartedFetch, overrides: Partial<End> = {}): End => {
  const id = randomUUID();
  const track = { videoId, languageCode: 'en', kind: 'manual', translated: false } as const;
  return {
    fetchId,
    videoId,
    language,
    track: { ...transcript, ...track, id, video: { ...video, id: videoId }, measures: measureText([]) },
    file: rendered,
    cachedId: null,
    error: null,
    choice: { isFallback: false, translation: 'not_requested' },
    selection,
    video: null,
    reportTo: null,
    ...overrides,
  };
};

/** The service's steps on its tables. */
export const newSteps = (tables: Tables) => {
  const { sql, query } = tables;
  const open = (openRequest: OpenRequest): Promise<OpenedRow[]> => openRows(sql, openRequest);
  const hold = (openRequest: OpenRequest, held?: readonly number[]) =>
    holdRows(sql, {
      batchId: String(openRequest.batchId),
      reservation: openRequest.reservation,
      held: held ?? openRequest.rows.map(({ position }) => position + 1),
      rows: openRequest.rows.map(({ id }) => id),
    });
  const begin = (ids: readonly string[], workerId: string = randomUUID()) => beginFetches(sql, ids, workerId);
  const end = (ends: readonly End[], settlementId: string = randomUUID()) => endRows(sql, ends, settlementId);
  const find = async (ids: readonly string[]): Promise<OperationRow[]> => {
    const rows = await query<OperationRow>(
      `SELECT id, state, charge, price, transcript_id, reported_to, error, change_version::float8 AS "changeVersion" FROM operations WHERE id = ANY ($1)`,
      [ids],
    );
    return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  };
  return {
    open,
    hold,
    begin,
    end,
    find,
    /** A batch with rows that wait for their turn. */
    readyBatch: async (overrides: Partial<OpenRequest> = {}): Promise<OpenRequest> => {
      const openRequest = toOpenRequest(overrides);
      await open(openRequest);
      await hold(openRequest);
      return openRequest;
    },
    /** Begins the only row of a request. */
    start: async (openRequest: OpenRequest): Promise<StartedFetch> => {
      await open(openRequest);
      if (openRequest.priority === 'jobs') await hold(openRequest);
      const [fetch] = await begin(openRequest.rows.map(({ id }) => id));
      if (!fetch) throw new Error('the row joined another one');
      return fetch;
    },
    claim: (slots: number, priority: Priority = 'jobs', workerId: string = randomUUID()) =>
      claimRows(sql, { workerId, priority, slots }),
    /** Ends rows that other tests left waiting. */
    endWaitingRows: async (): Promise<void> => {
      await query('UPDATE batches SET is_queued = false');
      await query('UPDATE turns SET is_queued = false');
    },
    states: async (ids: readonly string[]) => (await find(ids)).map(({ state }) => state),
    /** The day's counts of these scopes. */
    counts: async ({ scopes }: Pick<OpenRequest, 'scopes'>): Promise<number[]> => {
      const rows = await query<{ scope: string; count: number }>(
        'SELECT scope, count FROM cold_counts WHERE day = $1',
        [DAY],
      );
      return scopes.map(({ name }) => rows.find(({ scope }) => scope === name)?.count ?? 0);
    },
    version: async ({ batchId }: Pick<OpenRequest, 'batchId'>): Promise<number> => {
      const rows = await query<{ version: number }>(
        'SELECT version::float8 FROM batch_versions WHERE batch_id = $1',
        [batchId],
      );
      return rows[0]?.version ?? 0;
    },
    settlement: async (id: string) =>
      (await query<{ reservations: unknown[] }>('SELECT reservations FROM settlements WHERE id = $1', [id]))[0]
        ?.reservations ?? [],
  };
};

export type Steps = ReturnType<typeof newSteps>;
