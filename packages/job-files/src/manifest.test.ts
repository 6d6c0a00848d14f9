import { describe, expect, it } from '@jest/globals';
import { manifestEntry } from '@tds/contracts';
import { manifestCsv, manifestEntries, manifestJson } from './manifest.ts';
import { newRow, undelivered } from './test-support/rows.ts';

const failed = { error_class: 'NoCaptions', error_code: 'no_captions' };
const fallback = {
  requested_language: 'es',
  caption_kind: 'asr',
  fallback: true,
  translation: 'refused',
} as const;
const rows = [newRow({ position: 1, ...undelivered, ...failed }), newRow(fallback)];

describe('a manifest', () => {
  it('says of each row in the order of the job what was asked for, delivered, charged and stored', () => {
    const made = manifestEntries(rows, { format: 'srt' });
    expect(made.map((entry) => manifestEntry.parse(entry))).toEqual(made);
    expect(made[0]).toEqual({
      position: 0,
      video_id: 'AAAAAAAAAA0',
      title: 'A title',
      published_date: '2026-03-01',
      status: 'fetched',
      requested_language: 'es',
      delivered_language: 'en',
      fallback: true,
      translation: 'refused',
      language: 'en',
      track: 'asr',
      caption_kind: 'asr',
      attempts: 1,
      credits_charged: 1,
      strategy: 'web',
      output_file: 'transcripts/2026-03-01 - A title.srt',
      sha256: 'ab'.repeat(32),
      error_class: null,
      error_code: null,
    });
    expect(made[1]).toMatchObject({
      position: 1,
      status: 'error',
      delivered_language: null,
      fallback: null,
      translation: null,
      output_file: null,
      sha256: null,
      error_class: 'NoCaptions',
      error_code: 'no_captions',
    });
  });

  it('names files from the root of an archive where it lies in one', () => {
    const [first] = manifestEntries(rows, { format: 'srt', root: 'Source/srt/' });
    expect(first?.output_file).toBe('Source/srt/transcripts/2026-03-01 - A title.srt');
  });

  it('tells the digests that it is given where the bytes of a row are made for it', () => {
    const digests = new Map([['AAAAAAAAAA0', 'cd'.repeat(32)]]);
    const made = manifestEntries(rows, { format: 'md', digests });
    expect(made.map(({ sha256 }) => sha256)).toEqual(['cd'.repeat(32), null]);
  });

  it('has the same columns as CSV, and no cell that a spreadsheet runs', () => {
    const title = '=HYPERLINK("http://x","click")';
    const csv = manifestCsv(manifestEntries([newRow({ title, video_id: '-formula-12' })], { format: 'srt' }));
    const [header, line] = csv.split('\r\n');
    expect(header?.split(',')).toEqual(Object.keys(manifestEntry.shape));
    expect(line).toContain(`0,'-formula-12,"'=HYPERLINK(""http://x"",""click"")`);
    expect(line).toContain(',2026-03-01,fetched,en,en,false,not_requested,');
  });

  it('is the same text for the same rows, and reads back as them', () => {
    const labels = { name: 'Spring', metadata: { order: '7' } };
    const head = { job_id: 'job', monitor_id: null, ...labels, status: 'completed', format: 'srt' } as const;
    const made = manifestEntries(rows, { format: 'srt' });
    const text = manifestJson(head, made);
    expect(manifestJson(head, manifestEntries(rows.toReversed(), { format: 'srt' }))).toBe(text);
    expect(JSON.parse(text)).toEqual({
      job_id: 'job',
      monitor_id: null,
      ...labels,
      status: 'completed',
      format: 'srt',
      rows: made,
    });
  });
});
