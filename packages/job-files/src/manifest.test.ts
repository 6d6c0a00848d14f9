import { describe, expect, it } from '@jest/globals';
import { manifestEntry } from '@tds/contracts';
import fc from 'fast-check';
import { csvTable, manifestCsv, manifestEntries, manifestJson, outputFiles } from './manifest.ts';
import { newRow, undeliveredFields } from './test-support/rows.ts';

const lineOf = (cell: string | number | null, column = 'a') =>
  csvTable([column], [[cell]]).slice(`\ufeff${column}\r\n`.length);

it.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"\r\n`],
  ['+1', "'+1\r\n"],
  ['-1', "'-1\r\n"],
  ['@SUM(A1)', "'@SUM(A1)\r\n"],
  ['\t=1', `"'\t=1"\r\n`],
  ['\r=1', `"'\r=1"\r\n`],
  ['\0=1', `"'\0=1"\r\n`],
])('the text %j is never a formula', (text, line) => {
  expect(lineOf(text)).toBe(line);
});

it.each([
  ['a,b', '"a,b"\r\n'],
  ['a"b', '"a""b"\r\n'],
  ['a\r\nb', '"a\r\nb"\r\n'],
  ['plain - text = +', 'plain - text = +\r\n'],
  [-5, '-5\r\n'],
  [0, '0\r\n'],
  [null, '\r\n'],
])('the cell %j is one cell of one line', (cell, line) => {
  expect(lineOf(cell)).toBe(line);
});

it.each(['-abcdefghij', '=abc', '@abc'])('the id %j stays as it is', (id) => {
  expect(lineOf(id, 'video_id')).toBe(`${id}\r\n`);
});

it('a table without rows is its header, and spreadsheets see that it is UTF-8', () => {
  expect(csvTable(['date', 'key_id'], [])).toBe('\ufeffdate,key_id\r\n');
});

const pathsOf = (
  titles: readonly (string | null)[],
  published_at: string | null = '2026-03-01T10:00:00.000Z',
) =>
  [
    ...outputFiles(
      titles.map((title, position) => newRow({ position, title, published_at })),
      'srt',
    ).values(),
  ].map((path) => path.replace(/^transcripts\//, ''));

describe('output files', () => {
  it('are named by day and title, in one folder', () => {
    expect([
      ...outputFiles([newRow({ title: 'A title', published_at: '2026-03-01T23:30:00Z' })], 'clean'),
    ]).toEqual([['AAAAAAAAAA0', 'transcripts/2026-03-01 - A title.txt']]);
  });

  it('are named by the title alone if the day is unknown, and by the id if the title is', () => {
    expect(pathsOf(['T', null], null)).toEqual(['T.srt', 'AAAAAAAAAA1.srt']);
  });

  it('of equal names the later ones are numbered, in the order of the rows however they come', () => {
    const rows = [2, 0, 1].map((position) => newRow({ position, title: 'Same' }));
    const files = outputFiles(rows, 'vtt');
    expect([0, 1, 2].map((n) => files.get(`AAAAAAAAAA${n}`))).toEqual([
      'transcripts/2026-03-01 - Same.vtt',
      'transcripts/2026-03-01 - Same (2).vtt',
      'transcripts/2026-03-01 - Same (3).vtt',
    ]);
  });

  it.each([
    ['case', 'Same', 'sAME'],
    ['how accents are composed', 'Caf\u00e9', 'Cafe\u0301'],
    ['what becomes the same character', 'a/b', 'a:b'],
  ])('names that differ by %s are the same to some system', (_, first, second) => {
    expect(pathsOf([first, second])[1]).toMatch(/ \(2\)\.srt$/);
  });

  it('a title that ends like a number takes no name of another', () => {
    expect(pathsOf(['T', 'T (2)', 'T', 'T'], null)).toEqual(['T.srt', 'T (2).srt', 'T (3).srt', 'T (4).srt']);
  });

  it('rows that were not delivered have none', () => {
    expect(outputFiles([newRow(undeliveredFields)], 'json').size).toBe(0);
  });

  it('a thousand equal titles have a thousand names', () => {
    const paths = pathsOf(Array.from({ length: 1_000 }, () => 'x'));
    expect(new Set(paths).size).toBe(1_000);
  });

  it.each([
    ['../../etc/passwd', '2026-03-01 - _.._etc_passwd.srt'],
    ['CON', '2026-03-01 - _CON.srt'],
    ['a\u202egnp.exe', '2026-03-01 - agnp.exe.srt'],
    ['line\r\nend', '2026-03-01 - line end.srt'],
    ['=HYPERLINK("http://x")', '2026-03-01 - =HYPERLINK(_http___x_).srt'],
  ])('the title %j makes the file %j', (title, file) => {
    expect(pathsOf([title])).toEqual([file]);
  });

  it('are safe on every system and differ on every system, whatever the titles are', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('CON', 'nul.txt', 'COM1', 'x', 'X', 'x (2)', '..', '.', ' ', '\u{1F600}'.repeat(100)),
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 12 }), fc.boolean(), (titles, isDated) => {
        const paths = pathsOf(titles, isDated ? '2026-03-01T00:00:00Z' : null);
        expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(titles.length);
        for (const path of paths) {
          expect(path).not.toMatch(/[/\\:*?"<>|\p{Cc}\u202a-\u202e\u2066-\u2069]|^[ .-]|[ .]$|\.\.\//u);
          expect(path).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i);
          expect(path.isWellFormed()).toBe(true);
          expect(Buffer.byteLength(path)).toBeLessThanOrEqual(255);
        }
      }),
    );
  });
});

const failed = { error_class: 'NoCaptions', error_code: 'no_captions' };
const fallback = {
  requested_language: 'es',
  caption_kind: 'asr',
  fallback: true,
  translation: 'refused',
} as const;
const rows = [
  newRow({ position: 1, ...undeliveredFields, ...failed }),
  newRow({
    ...fallback,
    channel_id: 'UC1',
    channel_title: 'A channel',
    duration: 83,
    view_count: 7,
    words: 42,
  }),
];

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
      url: 'https://www.youtube.com/watch?v=AAAAAAAAAA0',
      channel_id: 'UC1',
      channel_title: 'A channel',
      duration: 83,
      view_count: 7,
      thumbnail_url: null,
      words: 42,
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

  it('names files from the root of an archive if it lies in one', () => {
    const [first] = manifestEntries(rows, { format: 'srt', root: 'Source/srt/' });
    expect(first?.output_file).toBe('Source/srt/transcripts/2026-03-01 - A title.srt');
  });

  it('contains the given digests if the bytes of a row were made for it', () => {
    const digests = new Map([['AAAAAAAAAA0', 'cd'.repeat(32)]]);
    const made = manifestEntries(rows, { format: 'md', digests });
    expect(made.map(({ sha256 }) => sha256)).toEqual(['cd'.repeat(32), null]);
  });

  it('has the same columns as CSV, and no cell that a spreadsheet runs', () => {
    const title = '=HYPERLINK("http://x","click")';
    const entries = manifestEntries([newRow({ title, video_id: '-formula-12' })], { format: 'srt' });
    const [header, line] = manifestCsv(entries).slice(1).split('\r\n');
    expect(header).toBe(
      'position,video_id,title,published_date,status,requested_language,delivered_language,fallback,translation,language,' +
        'track,caption_kind,attempts,credits_charged,strategy,output_file,sha256,error_class,error_code,url,channel_id,' +
        'channel_title,duration,view_count,thumbnail_url,words',
    );
    expect(Object.keys(entries[0] ?? {}).join(',')).toBe(header);
    expect(line).toContain(`0,-formula-12,"'=HYPERLINK(""http://x"",""click"")`);
    expect(line).toContain(',2026-03-01,fetched,en,en,false,not_requested,');
  });

  it('says as CSV, too, that its source was not read whole: in a last line of as many cells', () => {
    const entries = manifestEntries([newRow()], { format: 'srt' });
    expect(manifestCsv(entries, 0)).toBe(manifestCsv(entries));
    const lines = manifestCsv(entries, 2).split('\r\n');
    const commas = ','.repeat((lines[0]?.split(',').length ?? 0) - 1);
    expect(lines.slice(2)).toEqual([
      `NOT COMPLETE: 2 entries of the source could not be read: videos may be missing.${commas}`,
      '',
    ]);
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
      omitted: 0,
      status: 'completed',
      format: 'srt',
      rows: made,
    });
  });
});
