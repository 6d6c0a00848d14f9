import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bodies } from '@tds/base';
import {
  type DeliveredTranscript,
  MAX_PROJECTED_FILE_BYTES,
  transcriptFetcher,
  videoSummary,
} from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { project } from '../store/projection.ts';
import { startFetcher } from '../test-support/start-fetcher.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());

describe('the projection for the gateway', () => {
  it('has one file and the details of its video once for all languages that fall back to the same transcript', async () => {
    const videoId = 'noTransl_01';
    const [hashes, kept] = [new Set<string>(), new Set<string>()];
    for (const language of ['fr', 'de', 'qaa', 'qab']) {
      const delivered = (await fetcher.get({ videoId, language, format: 'srt' })) as DeliveredTranscript;
      await eventually(async () => {
        const key = transcriptFetcher.renderedSelection.key(videoId, language, 'true', 'srt');
        const found = await fetcher.bodies()?.read(key);
        const head = transcriptFetcher.renderedSelection.value.parse(JSON.parse(String(found?.head)));
        expect(head).toMatchObject({ sha256: delivered.sha256, language: delivered.language });
        const [file, video] = found?.bodies ?? [];
        expect(file).toHaveLength(delivered.bytes);
        expect(JSON.parse(String(video))).toEqual(delivered.video);
        expect(head.video).toEqual(videoSummary.parse(delivered.video));
        kept.add(Object.keys(JSON.parse(String(found?.head)).video).join());
      });
      hashes.add(transcriptFetcher.renderedFile.key(delivered.sha256));
    }
    expect(hashes.size).toBe(1);
    expect([...kept]).toEqual([Object.keys(videoSummary.shape).join()]);
  });

  it('refers to a file above the size limit instead of holding it', async () => {
    const delivered = (await fetcher.get({ videoId: 'manualEn001' })) as DeliveredTranscript;
    const written: unknown[] = [];
    const write: Bodies['write'] = async (...all) => void written.push(all[3]?.body?.length);
    const bodies = { write } as Bodies;
    for (const bytes of [MAX_PROJECTED_FILE_BYTES, MAX_PROJECTED_FILE_BYTES + 1]) {
      await project({ bodies }, { fallback: true }, { ...delivered, bytes }, Buffer.alloc(bytes));
    }
    expect(written).toEqual([MAX_PROJECTED_FILE_BYTES, undefined]);
  });
});
