import { deflateRawSync } from 'node:zlib';
import { batchOutcome, serviceError } from '@tds/contracts';
import { describe, expect, it } from 'vitest';
import type { RowStanding } from '../domain/batch-row.ts';
import { cached, rendered, transcript, video } from '../test-support/cached.ts';
import { outcomesOf, type StandingRow, toFailed } from './row-outcomes.ts';

const wanted = { language: 'en-GB', format: 'srt' } as const;
const cues = deflateRawSync(JSON.stringify([{ startMs: 0, durationMs: 1_000, text: 'hello' }]));
const choice = { isFallback: false, translation: 'not_requested' } as const;
const hit = (charge: number, file: typeof rendered | null = rendered): RowStanding => ({
  charge,
  kind: 'hit',
  hit: { transcript, choice, rendered: file },
});
const idOf = (at: number) => `00000000-0000-7000-8000-00000000000${at}`;
const rowsOf = (standings: readonly RowStanding[]): StandingRow[] =>
  standings.map((standing, at) => [
    { operationId: idOf(at), videoId: video.id, operation: null, entry: cached },
    standing,
  ]);

/** What callers are told of rows, and what of these keys the object store was asked for and has. */
const tell = async (standings: readonly RowStanding[], stored: Readonly<Record<string, Buffer>>) => {
  const asked: string[] = [];
  const kept: string[] = [];
  const deps = {
    objects: {
      existing: async (keys: readonly string[]) => {
        asked.push(...keys);
        return new Set(keys.filter((key) => key in stored));
      },
      getBytes: async (key: string) => stored[key] ?? null,
      put: async () => {},
    },
    db: {
      renderedFile: {
        createMany: async ({ data }: { data: { objectKey: string }[] }) =>
          void kept.push(...data.map(({ objectKey }) => objectKey)),
      },
    },
  };
  return { ...(await outcomesOf(deps as never, wanted, rowsOf(standings))), asked, kept };
};
const withFile = { [rendered.objectKey]: cues };
const withCues = { [transcript.cuesKey]: cues };

describe('what is told of the rows of a batch', () => {
  it('is each delivery in the form of the contract, with its charge, in the order of the rows', async () => {
    const { outcomes, lost, kept } = await tell([hit(0), hit(1)], withFile);
    expect(outcomes.map((outcome) => batchOutcome.parse(outcome))).toEqual(outcomes);
    const file = { objectKey: rendered.objectKey, bytes: rendered.bytes, sha256: rendered.sha256 };
    const language = { requested: 'en-GB', delivered: 'en', kind: 'manual', fallback: false };
    const told = {
      ...{ state: 'delivered', transcriptId: transcript.id, video, strategy: 'android', format: 'srt' },
      ...{ language: { ...language, translation: 'not_requested' }, ...file },
      fetchedAt: '2026-11-20T09:30:00.000Z',
    };
    expect(outcomes).toEqual([
      { ...told, operationId: idOf(0), charge: 0, cache: 'HIT' },
      { ...told, operationId: idOf(1), charge: 1, cache: 'MISS' },
    ]);
    expect([lost, kept]).toEqual([[], []]);
  });

  it('is nothing of those that are under way or unknown', async () => {
    const { outcomes } = await tell(
      [
        { charge: 0, kind: 'under way' },
        { charge: 0, kind: 'unknown' },
      ],
      {},
    );
    expect(outcomes).toEqual([]);
  });

  it('is each failure with its code, and when to ask again if that is known', async () => {
    const waiting = serviceError('transcript_not_ready', { retryAfterSeconds: 90 }).data;
    const { outcomes } = await tell([{ charge: 0, kind: 'failed', error: waiting }], {});
    expect(outcomes.map((outcome) => batchOutcome.parse(outcome))).toEqual(outcomes);
    expect(outcomes).toMatchObject([
      { operationId: idOf(0), state: 'failed', code: 'transcript_not_ready', retryAfterSeconds: 90 },
    ]);
    const gone = toFailed(idOf(1), serviceError('video_unavailable').data);
    expect(gone).toMatchObject({ errorClass: 'Unavailable', retryable: false, retryAfterSeconds: null });
  });
});

describe('the files of rows', () => {
  it('are looked for in one round trip, and not for rows that are charged: those were stored for this batch', async () => {
    const { asked } = await tell([hit(0), hit(1), hit(0, null)], { ...withFile, ...withCues });
    expect(asked).toEqual([rendered.objectKey]);
  });

  it.each([
    ['that nobody has rendered', null],
    ['that the object store has lost', rendered],
  ])('%s are rendered, and told as they are now', async (_what, file) => {
    const { outcomes, kept, lost } = await tell([hit(0, file)], withCues);
    expect(kept).toEqual([`rendered/${transcript.id}/srt`]);
    expect(outcomes).toMatchObject([{ state: 'delivered', objectKey: `rendered/${transcript.id}/srt` }]);
    expect(outcomes).not.toMatchObject([{ sha256: rendered.sha256 }]);
    expect(lost).toEqual([]);
  });

  it('whose cues are lost, too, are told apart, and the rows beside them are told', async () => {
    const failed: RowStanding = { charge: 0, kind: 'failed', error: serviceError('no_captions').data };
    const { outcomes, lost } = await tell([hit(0), failed], {});
    expect(outcomes).toMatchObject([{ operationId: idOf(1), state: 'failed' }]);
    expect(lost).toMatchObject([{ row: { operationId: idOf(0) }, transcriptId: transcript.id }]);
  });

  it('fail the look where the object store is broken: nothing is taken for lost that is only out of reach', async () => {
    const broken = { [transcript.cuesKey]: Buffer.from('no deflated data') };
    await expect(tell([hit(0, null)], broken)).rejects.toThrow('invalid');
  });
});
