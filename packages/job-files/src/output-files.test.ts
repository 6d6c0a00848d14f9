import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { outputFiles } from './output-files.ts';
import { newRow, undelivered } from './test-support/rows.ts';

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

  it('are named by the title alone where the day is unknown, and by the id where the title is', () => {
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
    expect(outputFiles([newRow(undelivered)], 'json').size).toBe(0);
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
