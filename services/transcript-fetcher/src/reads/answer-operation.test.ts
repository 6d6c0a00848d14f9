import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { MAX_PROJECTED_FILE_BYTES } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { toDeliveredTranscript as describeFile, type Hit } from '../domain/transcript.ts';
import { project } from '../store/projection.ts';
import { rendered, transcript, video } from '../test-support/cached.ts';
import { filesOnTheLoop } from '../test-support/track-files.ts';
import { deliver } from './answer-operation.ts';

const wanted = { videoId: video.id, language: 'en-GB', fallback: true, format: 'srt' } as const;
const choice = { isFallback: false, translation: 'not_requested' } as const;
const cues = [{ startMs: 0, durationMs: 1_000, text: 'hello' }];
const packed = (text: string) => deflateRawSync(Buffer.from(text));

/** An object store with these objects; records writes to it, to the tables and to the projection. */
const setUp = (stored: Readonly<Record<string, Buffer>>) => {
  const objects = new Map(Object.entries(stored));
  const read: string[] = [];
  const kept: { format: string; sha256: string }[] = [];
  const projected: { keyParts: readonly string[]; body: Buffer | null }[] = [];
  const deps = {
    files: filesOnTheLoop,
    objects: {
      stat: async (key: string) => (objects.has(key) ? {} : null),
      getBytes: async (key: string) => {
        read.push(key);
        return objects.get(key) ?? null;
      },
      put: async (key: string, data: Buffer) => void objects.set(key, data),
    },
    db: {
      renderedFile: {
        createMany: async ({ data }: { data: typeof kept }) => {
          kept.push(...data);
          return { count: data.length };
        },
      },
    },
    bodies: {
      write: async (_of: unknown, keyParts: readonly string[], _head: unknown, file: { body: Buffer | null }) =>
        void projected.push({ keyParts, body: file.body }),
    },
  };
  const hand = (given: Partial<Hit> = {}) =>
    deliver(deps as never, wanted, { transcript, choice, file: rendered, ...given });
  return { objects, read, kept, projected, deps, hand };
};

describe('a rendered transcript', () => {
  it('is answered with the requested and the delivered language, at no charge', () => {
    expect(describeFile(wanted, transcript, { isFallback: true, translation: 'refused' }, rendered)).toEqual({
      state: 'delivered',
      cache: 'HIT',
      creditsCharged: 0,
      video,
      language: {
        requested: 'en-GB',
        delivered: 'en',
        kind: 'manual',
        fallback: true,
        translation: 'refused',
      },
      format: 'srt',
      fetchedAt: '2026-11-20T09:30:00.000Z',
      objectKey: rendered.objectKey,
      bytes: rendered.bytes,
      sha256: rendered.sha256,
    });
  });

  it('is written to the projection under the requested selection', async () => {
    const { hand, projected, kept } = setUp({ [rendered.objectKey]: packed('the file') });
    expect(await hand()).toMatchObject({ sha256: rendered.sha256 });
    const [found] = projected;
    expect(found?.keyParts).toEqual([video.id, 'en-GB', 'true', 'srt']);
    expect(String(found?.body)).toBe('the file');
    expect(kept).toEqual([]);
  });

  it('is not written there if its translation was refused, since the refusal may end at any time', async () => {
    const { deps, projected } = setUp({});
    const refused = describeFile(wanted, transcript, { isFallback: true, translation: 'refused' }, rendered);
    await project(deps as never, wanted, refused, Buffer.from('the file'));
    expect(projected).toEqual([]);
  });
});

describe('a large file', () => {
  const large = { ...rendered, bytes: MAX_PROJECTED_FILE_BYTES + 1 };

  it('is not read; the answer gives its place', async () => {
    const { hand, read, projected } = setUp({ [rendered.objectKey]: packed('large') });
    expect(await hand({ file: large })).toMatchObject({ bytes: large.bytes });
    expect([read, projected[0]?.body]).toEqual([[], null]);
  });

  it('is rendered again from the cues if the object store has lost it', async () => {
    const { hand, objects } = setUp({ [transcript.cuesKey]: packed(JSON.stringify(cues)) });
    await hand({ file: large });
    expect(objects.has(rendered.objectKey)).toBe(true);
  });
});

describe('a missing file', () => {
  it.each([
    ['that was never rendered', null],
    ['because the object store has lost it', rendered],
  ])('%s is rendered, stored, recorded and answered', async (_why, known) => {
    const { hand, objects, kept, projected } = setUp({ [transcript.cuesKey]: packed(JSON.stringify(cues)) });
    const delivered = await hand({ file: known });
    const body = String(projected[0]?.body);
    expect(body).toContain('hello');
    expect(delivered.sha256).toBe(createHash('sha256').update(body).digest('hex'));
    expect(kept).toMatchObject([{ transcriptId: transcript.id, format: 'srt', sha256: delivered.sha256 }]);
    expect(objects.has(delivered.objectKey)).toBe(true);
  });

  it('ends in a typed error and stores nothing if the cues are lost too', async () => {
    const { hand, kept, projected } = setUp({});
    const missing = serviceError('cache_object_missing', { retryAfterSeconds: 2 });
    await expect(hand()).rejects.toMatchObject({ data: missing.data });
    expect([kept, projected]).toEqual([[], []]);
  });
});
