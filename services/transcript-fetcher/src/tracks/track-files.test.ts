import { setTimeout as delay } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Cue } from '@tds/contracts';
import { RENDERERS } from '@tds/transcript-format';
import { transcript } from '../test-support/cached.ts';
import { toCaptionBody } from '../test-support/track-files.ts';
import { makeTrack, renderStored } from './make-track.ts';
import { createTrackFiles, MAX_BYTES_ON_LOOP, renderAndStore } from './track-files.ts';

const files = createTrackFiles();
afterAll(() => files.stop());

const wanted = { transcript, format: 'md' } as const;
const signal = new AbortController().signal;
const cuesOf = (count: number, length: number): Cue[] =>
  Array.from({ length: count }, (_, n) => ({
    startMs: n * 1_000,
    durationMs: 900,
    text: `${n} `.padEnd(length, 'é words '),
  }));

const bodies: readonly (readonly [string, string])[] = [
  ['100,000 cues of 85 characters', toCaptionBody(cuesOf(100_000, 85))],
  ['a word in each of 99,000 elements', `<timedtext>${'<p t="1">é</p>'.repeat(99_000)}</timedtext>`],
];

/** How often the event loop turned during the work. */
const turnsOf = async <Made>(work: () => Promise<Made>) => {
  let [isOver, turns] = [false, 0];
  const watch = async () => {
    for (; !isOver; turns += 1) await delay(1);
  };
  const [made] = await Promise.all([
    work().finally(() => {
      isOver = true;
    }),
    watch(),
  ]);
  return { made, turns };
};

/** Fields that show whether two large readings are equal. */
const essence = (reading: Awaited<ReturnType<typeof makeTrack>>) =>
  reading.kind === 'refused'
    ? reading
    : { cues: reading.value.cues.key, file: reading.value.rendered.file, measures: reading.value.measures };

describe('a large caption body', () => {
  it.each(bodies)('of %s does not block the event loop, and gives the same files', async (_, body) => {
    const onTheLoop = await turnsOf(() => makeTrack({ body, request: wanted }));
    const beside = await turnsOf(() => files.make(body, wanted, signal));
    expect(beside.turns).toBeGreaterThan(onTheLoop.turns + 10);
    expect(essence(beside.made)).toEqual(essence(onTheLoop.made));
  });

  it('is rendered in another format without blocking', async () => {
    const cues = Buffer.from(JSON.stringify(cuesOf(100_000, 85)));
    const onTheLoop = await turnsOf(() => renderStored({ cues, request: wanted }));
    const beside = await turnsOf(() => files.render(cues, wanted));
    expect(beside.turns).toBeGreaterThan(onTheLoop.turns + 10);
    expect(beside.made.file).toEqual(onTheLoop.made.file);
    expect(beside.made.body.equals(onTheLoop.made.body)).toBe(true);
  });

  it('that needs more memory than a thread has is refused without blaming its route; the process survives', async () => {
    const [[, body] = ['', '']] = bodies;
    const small = createTrackFiles(64);
    const reading = await small.make(body, wanted, signal).finally(() => small.stop());
    expect(reading).toMatchObject({ refusal: { row: 'too_costly', meaning: { about: 'answer' } } });
  });

  it('is abandoned when its signal fires', async () => {
    const [[, body] = ['', '']] = bodies;
    const leaving = new AbortController();
    const made = files.make(body, wanted, leaving.signal);
    leaving.abort();
    await expect(made).rejects.toMatchObject({ name: 'AbortError' });
    expect(await files.make(body, wanted, signal)).toMatchObject({ kind: 'read' });
  });
});

it('files of the largest body allowed on the event loop are made without a thread', async () => {
  const body = toCaptionBody(cuesOf(500, 85)).padEnd(MAX_BYTES_ON_LOOP);
  const made = files.make(body, wanted, AbortSignal.abort());
  expect(await made).toMatchObject({ kind: 'read' });
});

describe('a file that another process has kept meanwhile', () => {
  const cues = deflateRawSync(JSON.stringify(cuesOf(3, 40)));
  const keyOf = (version: string) => `rendered/${transcript.id}/clean${version}`;
  const renderBeside = async (kept: string) => {
    const db = {
      renderedFile: { createMany: async () => ({ count: 0 }), findUnique: async () => ({ objectKey: kept }) },
    };
    const objects = { getBytes: async () => cues, put: async () => {} };
    const deps = { db, objects, files } as unknown as Parameters<typeof renderAndStore>[0];
    return await renderAndStore(deps, { transcript, format: 'clean', file: null });
  };

  it('has the same bytes', async () => {
    const wanted = { transcript, format: 'clean' } as const;
    const { file } = await renderStored({ cues: inflateRawSync(cues), request: wanted });
    expect((await renderBeside(keyOf(`.${RENDERERS.clean}`))).file).toEqual(file);
  });

  it('is left to its release if it has another renderer', async () => {
    await expect(renderBeside(keyOf('.1'))).rejects.toMatchObject({ code: 'cache_object_missing' });
  });
});
