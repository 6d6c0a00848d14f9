import { randomUUID } from 'node:crypto';
import type { Sql } from '@tds/service-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshVideo, openTables, type Tables } from '../test-support/tables.ts';
import { deliverTrack, startFetch } from './fetches.ts';
import { openOperation } from './open-operation.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const DAY = '2026-11-20';
const SENDING = { headers: '{}', slots: 1, leaseMs: 10_000, eventLeaseMs: null };

let tables: Tables;
let pool: Tables['pool'];
let sql: Sql;
beforeAll(async () => {
  tables = await openTables();
  ({ pool, sql } = tables);
});
afterAll(() => tables?.stop());

const nothing = { channel_id: null, channel_title: null, published_at: null, duration: 1 };
const chargesOf = async (videoId: string) =>
  (await pool.query('SELECT price, charge, settlement FROM operations WHERE video_id = $1', [videoId])).rows;

describe('what an operation costs', () => {
  const opened = async (videoId: string, price: number): Promise<string> => {
    const [id, accountId, keyId] = [randomUUID(), randomUUID(), randomUUID()];
    const asked = { videoId, language: 'en', fallback: true, format: 'srt', price } as const;
    const admission = { day: DAY, scopes: [], hasPermits: true };
    await openOperation(sql, { id, accountId, keyId, ...asked }, admission);
    return id;
  };
  const delivered = async (videoId: string, operationId: string) => {
    const begun = await startFetch(sql, operationId, SENDING);
    const [task] = begun.preLeased ?? [];
    if (!task) throw new Error('no fetch was begun');
    const id = randomUUID();
    const track = { videoId, languageCode: 'en', kind: 'manual', translated: false } as const;
    const video = { id: videoId, title: 'a', ...nothing };
    const choice = { isFallback: false, translation: 'not_requested', available: ['en'] } as const;
    return await deliverTrack(
      sql,
      {
        fetch: { id: task.payload.fetchId, videoId, language: 'en', fallback: true },
        inspected: { video, tracks: [] },
        track,
        selection: { ...choice, expiresAt: null },
        transcript: { ...track, id, video, cuesKey: 'cues/x', cachedAt: now, cueCount: 1, strategy: null },
        file: null,
        cachedId: null,
        reportedTo: null,
        now,
      },
      { id: task.id, epoch: '1' },
      SENDING,
    );
  };

  it('is its price, whatever that is: the row says it, and so does the task that settles it', async () => {
    const videoId = freshVideo();
    const operationId = await opened(videoId, 3);
    const { result, preLeased } = await delivered(videoId, operationId);
    expect(result.operations).toMatchObject([{ id: operationId, charge: 3 }]);
    expect(preLeased).toMatchObject([{ payload: { operationId, charge: 3 } }]);
    expect(await chargesOf(videoId)).toEqual([{ price: 3, charge: 3, settlement: 'pending' }]);
  });

  it('is nothing if it was disowned, and its credit is then given back', async () => {
    const videoId = freshVideo();
    const operationId = await opened(videoId, 3);
    await pool.query('UPDATE operations SET disowned_at = now() WHERE id = $1', [operationId]);
    const { preLeased } = await delivered(videoId, operationId);
    expect(preLeased).toMatchObject([{ payload: { operationId, charge: 0 } }]);
    expect(await chargesOf(videoId)).toEqual([{ price: 3, charge: 0, settlement: 'pending' }]);
  });

  it('can never be another sum: the table refuses it', async () => {
    const videoId = freshVideo();
    const operationId = await opened(videoId, 3);
    await delivered(videoId, operationId);
    const change = pool.query('UPDATE operations SET charge = 2 WHERE id = $1', [operationId]);
    await expect(change).rejects.toMatchObject({ constraint: 'operations_charge_check' });
  });
});

describe('a service of the release before', () => {
  const open = async (name: string, videoId: string) =>
    (
      await pool.query(
        `SELECT opened_id, is_new, refused
         FROM ${name}($1, gen_random_uuid(), gen_random_uuid(), $2, 'en', true, 'srt', $3, '{}', '{}', true)`,
        [randomUUID(), videoId, DAY],
      )
    ).rows[0];

  it('opens operations as it did, for the price that it reserves, and delivers them', async () => {
    const videoId = freshVideo();
    const { opened_id: operationId, is_new: isNew } = await open('open_unless_known', videoId);
    expect(isNew).toBe(true);
    const { preLeased } = await startFetch(sql, operationId, SENDING);
    const [task] = preLeased ?? [];
    const transcript = {
      id: randomUUID(),
      video_id: videoId,
      language_code: 'en',
      kind: 'manual',
      translated: false,
      object_key: 'cues/x',
      cue_count: 1,
      cached_at: now,
    };
    const selection = { video_id: videoId, language: 'en', is_fallback: false, translation: 'not_requested' };
    const { rows } = await pool.query(
      `SELECT ended_id, ended_charge, is_first, is_held
       FROM deliver_fetch($1, 1, $2, $3, $4, $5, NULL, NULL, $6, '{}', 1, 10000, NULL)`,
      [
        task?.id,
        task?.payload.fetchId,
        JSON.stringify({ id: videoId, status: 'fetched', caption_tracks: [] }),
        JSON.stringify({ ...selection, available: ['en'] }),
        JSON.stringify(transcript),
        operationId,
      ],
    );
    expect(rows).toEqual([{ ended_id: operationId, ended_charge: 1, is_first: true, is_held: true }]);
    expect(await chargesOf(videoId)).toEqual([{ price: 1, charge: 1, settlement: 'pending' }]);
  });

  it('is told what is known, and opens it all the same when it insists', async () => {
    const videoId = freshVideo();
    await pool.query(`INSERT INTO videos (id, fact) VALUES ($1, '{}')`, [videoId]);
    expect(await open('open_unless_known', videoId)).toMatchObject({ opened_id: null, refused: 'known' });
    expect(await open('open_operation', videoId)).toMatchObject({ is_new: true, refused: null });
    expect(await chargesOf(videoId)).toEqual([{ price: 1, charge: 0, settlement: 'pending' }]);
  });
});
