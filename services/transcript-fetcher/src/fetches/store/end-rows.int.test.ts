import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { waiveBatch } from '../../batches/store/batches.ts';
import { waive } from '../../reads/store/operations.ts';
import { rendered } from '../../test-support/cached.ts';
import { freshVideos, newSteps, toEnd, toOpenRequest, toRead, toRows } from '../../test-support/rows.ts';
import { freshVideo, openTables, type Tables } from '../../test-support/tables.ts';
import type { OpenRequest } from './rows.ts';

let tables: Tables;
let steps: ReturnType<typeof newSteps>;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());

const idsOf = ({ rows }: Pick<OpenRequest, 'rows'>) => rows.map(({ id }) => id);
const batchOf = (videoIds: readonly string[], given: Partial<OpenRequest> = {}) =>
  toOpenRequest({ rows: toRows(videoIds), ...given });
const selection = { language: 'en', fallback: true, format: 'srt' } as const;
const nothing = { track: null, file: null, selection: null, choice: null } as const;
const chargesOf = async (ids: readonly string[]) => (await steps.find(ids)).map(({ charge }) => charge);

describe('the charge of a row', () => {
  it('is its price if a new track was fetched for it; a settlement is saved for the ledger', async () => {
    const read = toRead();
    const begun = await steps.start(read);
    const settlementId = randomUUID();
    const { ended, settlement } = await steps.end([toEnd(begun)], settlementId);
    expect(ended).toMatchObject([
      { id: read.reservation, priority: 'reads', charge: 1, is_first: true, is_reported: false },
    ]);
    expect(settlement).toMatchObject([{ ref: read.reservation, batch_id: null, charge: [1], release: [] }]);
    expect(await steps.settlement(settlementId)).toEqual(settlement);
  });

  it('is 0 if its fetch failed: its item is released', async () => {
    const read = toRead();
    const end = toEnd(await steps.start(read), { ...nothing, error: serviceError('no_captions').data });
    const { ended, settlement } = await steps.end([end]);
    expect(ended).toMatchObject([{ charge: 0, transcript_id: null }]);
    expect(settlement).toMatchObject([{ charge: [], release: [1] }]);
    expect(await steps.find(idsOf(read))).toMatchObject([{ state: 'failed', error: { code: 'no_captions' } }]);
  });

  it('is 0 if its track proves to be cached', async () => {
    const read = toRead();
    const begun = await steps.start(read);
    const cachedId = await tables.add.transcript({ video_id: begun.videoId });
    const { ended, settlement } = await steps.end([toEnd(begun, { track: null, file: null, cachedId })]);
    expect(ended).toMatchObject([{ charge: 0, transcript_id: cachedId }]);
    expect(settlement).toMatchObject([{ release: [1] }]);
  });

  it('is paid once by an account if two languages lead to one track at once', async () => {
    const [videoId, accountId] = [freshVideo(), randomUUID()];
    const [first, second] = [
      await steps.start(toRead(videoId, { accountId })),
      await steps.start(toRead(videoId, { accountId, language: 'en-GB' })),
    ];
    const { ended } = await steps.end([toEnd(first), toEnd(second)]);
    expect(ended.map(({ charge }) => charge).toSorted()).toEqual([0, 1]);
    expect(new Set(ended.map((row) => row.transcript_id)).size).toBe(1);
  });

  it('is paid once by an account if two languages lead to one track in turn', async () => {
    const [videoId, accountId] = [freshVideo(), randomUUID()];
    const [first, second] = [
      await steps.start(toRead(videoId, { accountId })),
      await steps.start(toRead(videoId, { accountId, language: 'en-GB' })),
    ];
    const { ended: paid } = await steps.end([toEnd(first)]);
    const { ended, settlement } = await steps.end([toEnd(second)]);
    expect([paid[0]?.charge, ended[0]?.charge]).toEqual([1, 0]);
    expect(ended).toMatchObject([{ is_first: false, transcript_id: paid[0]?.transcript_id }]);
    expect(settlement).toMatchObject([{ charge: [], release: [1] }]);
  });

  it('is paid once if two concurrent statements save both', async () => {
    const [videoId, accountId] = [freshVideo(), randomUUID()];
    const languages = Array.from({ length: 6 }, (_, n) => `l${n}`);
    const begun = [];
    for (const language of languages) begun.push(await steps.start(toRead(videoId, { accountId, language })));
    const ends = await Promise.all(begun.map((each) => steps.end([toEnd(each)])));
    const charges = ends.flatMap(({ ended }) => ended.map(({ charge }) => charge));
    expect(charges.toSorted()).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it('is paid by each account that waits for it', async () => {
    const videoId = freshVideo();
    const reads = [toRead(videoId), toRead(videoId), toRead(videoId)];
    for (const read of reads) await steps.open(read);
    const [begun] = await steps.begin(reads.flatMap(idsOf));
    if (!begun) throw new Error('they share a fetch');
    const { ended, settlement } = await steps.end([toEnd(begun)]);
    expect(ended.map(({ charge }) => charge)).toEqual([1, 1, 1]);
    const refs = settlement?.map(({ ref }) => ref);
    expect(refs?.toSorted()).toEqual(reads.map(({ reservation }) => reservation).toSorted());
  });

  it('is one credit for a read and a row of a job of one account that share a fetch', async () => {
    const [videoId, accountId] = [freshVideo(), randomUUID()];
    const [read, batch] = [toRead(videoId, { accountId }), batchOf([videoId], { accountId })];
    await steps.open(read);
    await steps.open(batch);
    await steps.hold(batch);
    const [begun] = await steps.begin([...idsOf(read), ...idsOf(batch)]);
    if (!begun) throw new Error('they share a fetch');
    const { settlement } = await steps.end([toEnd(begun)]);
    expect((await chargesOf([...idsOf(read), ...idsOf(batch)])).toSorted()).toEqual([0, 1]);
    expect(settlement?.flatMap(({ charge }) => charge)).toHaveLength(1);
    expect(settlement?.flatMap(({ release: back }) => back)).toHaveLength(1);
  });

  it('is 0 if its request was waived; the next waiting row of its account pays', async () => {
    const [videoId, accountId] = [freshVideo(), randomUUID()];
    const waived = toRead(videoId, { accountId });
    const batch = batchOf([videoId], { accountId });
    await steps.open(waived);
    await steps.open(batch);
    await steps.hold(batch);
    const [begun] = await steps.begin([...idsOf(waived), ...idsOf(batch)]);
    if (!begun) throw new Error('they share a fetch');
    const request = { id: waived.reservation, accountId, keyId: randomUUID(), videoId, ...selection };
    await waive(tables.sql, request, serviceError('relay_unavailable').data);
    await steps.end([toEnd(begun)]);
    expect(await chargesOf([...idsOf(waived), ...idsOf(batch)])).toEqual([0, 1]);
  });

  it('is 0 in a waived batch', async () => {
    const batch = batchOf([freshVideo()]);
    const begun = await steps.start(batch);
    const { batchId, accountId } = batch;
    await waiveBatch(tables.sql, { batchId: String(batchId), accountId });
    expect((await steps.end([toEnd(begun)])).settlement).toMatchObject([{ charge: [], release: [1] }]);
  });

  it('is 0 if it was paid before or had been lost: no settlement is saved', async () => {
    const batch = batchOf([], { rows: toRows([freshVideo()], { price: 0 }) });
    const { ended, settlement } = await steps.end([toEnd(await steps.start(batch))]);
    expect([ended[0]?.charge, settlement]).toEqual([0, null]);
  });
});

describe('a fetch', () => {
  it('ends once: a later end changes nothing and saves no settlement', async () => {
    const read = toRead();
    const begun = await steps.start(read);
    await steps.end([toEnd(begun)]);
    const [before] = await steps.find(idsOf(read));
    const late = toEnd(begun, { ...nothing, error: serviceError('no_captions').data });
    expect(await steps.end([late, late])).toEqual({ ended: [], settlement: null });
    expect(await steps.find(idsOf(read))).toEqual([before]);
  });

  it('ends once if two workers save it at the same moment', async () => {
    const read = toRead();
    const begun = await steps.start(read);
    const ends = await Promise.all(Array.from({ length: 4 }, () => steps.end([toEnd(begun)])));
    expect(ends.flatMap(({ ended }) => ended)).toHaveLength(1);
    expect(ends.filter(({ settlement }) => settlement !== null)).toHaveLength(1);
  });

  it('keeps the first copy of a track and its first file, so that its bytes never change', async () => {
    const videoId = freshVideo();
    const [first, second] = [
      toEnd(await steps.start(toRead(videoId))),
      toEnd(await steps.start(toRead(videoId, { language: 'en-GB' })), {
        file: { ...rendered, objectKey: 'rendered/later' },
      }),
    ];
    await steps.end([first]);
    const { ended } = await steps.end([second]);
    expect(ended).toMatchObject([{ transcript_id: first.track?.id, is_first: false }]);
    expect(
      await tables.query('SELECT object_key FROM rendered_files WHERE transcript_id = $1', [first.track?.id]),
    ).toEqual([{ object_key: rendered.objectKey }]);
    expect(await tables.query('SELECT FROM transcripts WHERE video_id = $1', [videoId])).toHaveLength(1);
  });

  it('makes its selection refer to the track, so the next row of it is known', async () => {
    const videoId = freshVideo();
    await steps.end([toEnd(await steps.start(toRead(videoId)))]);
    expect(await steps.open(toRead(videoId))).toMatchObject([{ state: 'known' }]);
  });

  it('assigns its charge to the read whose request waits for it, and to no other', async () => {
    const [waiting, other] = [toRead(), toRead()];
    const [first, second] = [await steps.start(waiting), await steps.start(other)];
    const { ended } = await steps.end([toEnd(first, { reportTo: waiting.reservation }), toEnd(second)]);
    expect(new Map(ended.map(({ id, is_reported: isReported }) => [id, isReported]))).toEqual(
      new Map([
        [waiting.reservation, true],
        [other.reservation, false],
      ]),
    );
    const kept = await steps.find([waiting.reservation, other.reservation]);
    expect(kept.map((row) => row.reported_to)).toEqual([waiting.reservation, null]);
  });

  it('that failed assigns no charge', async () => {
    const read = toRead();
    const error = serviceError('no_captions').data;
    const end = toEnd(await steps.start(read), { ...nothing, error, reportTo: read.reservation });
    expect((await steps.end([end])).ended).toMatchObject([{ is_reported: false }]);
    expect(await steps.find([read.reservation])).toMatchObject([{ reported_to: null }]);
  });
});

describe('fetches saved together', () => {
  it('give each of their batches one version, and one settlement for all their reservations', async () => {
    const [one, other] = [await steps.readyBatch(), await steps.readyBatch()];
    const begun = await steps.begin([...idsOf(one), ...idsOf(other)]);
    const failed = { ...nothing, error: serviceError('no_captions').data };
    const ends = begun.map((each) => toEnd(each, each.videoId === one.rows[0]?.videoId ? failed : {}));
    const { ended, settlement } = await steps.end(ends);
    expect(ended).toHaveLength(6);
    for (const batch of [one, other]) {
      const versions = ended.filter((row) => row.batch_id === batch.batchId).map(({ version }) => version);
      expect(new Set(versions)).toEqual(new Set([await steps.version(batch)]));
    }
    const reservation = settlement?.find(({ ref }) => ref === one.reservation);
    expect([reservation?.charge.toSorted(), reservation?.release]).toEqual([[2, 3], [1]]);
    expect(settlement).toHaveLength(2);
  });

  it('return which batch has no open row left', async () => {
    const [last, ...others] = await steps.begin(idsOf(await steps.readyBatch()));
    const early = await steps.end(others.map((each) => toEnd(each)));
    expect(early.ended.map((row) => row.is_over)).toEqual([false, false]);
    expect((await steps.end([toEnd(last!)])).ended).toMatchObject([{ is_over: true }]);
  });

  it('are saved in any order of videos and batches beside concurrent writers', async () => {
    const videoIds = freshVideos(6);
    const batches = await Promise.all(
      Array.from({ length: 4 }, (_, n) => steps.readyBatch({ language: `l${n}`, rows: toRows(videoIds) })),
    );
    const begun = await steps.begin(batches.flatMap(idsOf));
    const halves = [0, 1, 2, 3].map((rest) => begun.filter((_, n) => n % 4 === rest));
    const ends = halves.map((half) => half.toReversed().map((each) => toEnd(each)));
    const all = await Promise.all(ends.map((each) => steps.end(each)));
    expect(all.flatMap(({ ended }) => ended)).toHaveLength(24);
    expect(new Set(await steps.states(batches.flatMap(idsOf)))).toEqual(new Set(['delivered']));
  });
});
