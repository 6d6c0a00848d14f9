import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ManifestRow } from '@tds/contracts';
import { archiveFolder, archiveHead, formatRoot } from './archive-head.ts';
import { newRow, undeliveredFields } from './test-support/rows.ts';

const job = {
  ...{ id: '00000000-0000-7000-8000-000000000001', monitor_id: null, name: null, metadata: {} },
  ...{ status: 'completed' as const, created_at: '2026-03-05T10:00:00.000Z' },
  source: { kind: 'video_ids' as const, input: null },
};
const channel = { kind: 'channel' as const, input: '@handle' };

describe('the folder of an archive', () => {
  const rows = [newRow({ ...undeliveredFields }), newRow({ position: 1, channel_title: 'A channel' })];

  it.each([
    ['of a channel bears its title', { source: channel }, 'A channel/'],
    ['bears the name of the job before all', { source: channel, name: 'My  talks?' }, 'My talks_/'],
    [
      'of a playlist bears its id',
      {
        source: {
          kind: 'playlist' as const,
          input: 'https://www.youtube.com/playlist?list=PLa1b2c3d4e5f6g7h8',
        },
      },
      'PLa1b2c3d4e5f6g7h8/',
    ],
    ['of single videos bears the name of the specification', {}, 'Source/'],
  ])('%s', (_, given, folder) => {
    expect(archiveFolder({ ...job, ...given }, rows)).toBe(folder);
  });
});

describe('the page of an archive', () => {
  const pageOf = (rows: readonly ManifestRow[], formats: ('srt' | 'md')[]): string => {
    const [page] = archiveHead(
      { job, rows },
      'Source/',
      formats.map((format) => ({
        format,
        root: formatRoot('Source/', format, formats),
        digests: new Map(),
      })),
    );
    expect(page?.name).toBe('Source/index.html');
    return inflateRawSync(page?.data ?? Buffer.alloc(0)).toString();
  };

  it('links each file by its path beside the page, and each video at the platform', () => {
    const page = pageOf([newRow({ title: 'Why? 100% & more', duration: 83 })], ['srt', 'md']);
    expect(page).toContain('href="srt/transcripts/2026-03-01%20-%20Why_%20100%25%20%26%20more.srt"');
    expect(page).toContain('href="md/transcripts/2026-03-01%20-%20Why_%20100%25%20%26%20more.md"');
    expect(page).toContain('href="https://www.youtube.com/watch?v=AAAAAAAAAA0"');
    expect(page).toContain('01:23');
  });

  it('says which transcripts are translations', () => {
    const page = pageOf([newRow({ translation: 'served' }), newRow({ position: 1 })], ['srt']);
    expect([...page.matchAll(/<td>(en[^<]*)<\/td>/g)].map(([, text]) => text)).toEqual([
      'en, translated by machine',
      'en',
    ]);
  });

  it("says why a video has no file, and shows strangers' texts as texts", () => {
    const failed = { ...undeliveredFields, error_code: 'no_captions', title: '<script>alert("x")</script>' };
    const page = pageOf([newRow(failed)], ['srt']);
    expect(page).toContain('no_captions');
    expect(page).toContain('0 of 1 videos have a transcript.');
    expect(page).not.toContain('<script');
  });
});
