import { describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import { parse } from 'content-disposition';
import fc from 'fast-check';
import { withoutHiddenMarks } from './cues.ts';
import { attachmentFileName, contentDisposition, fileStem, publishedDay } from './file-names.ts';
import { safeFileTitle } from './file-titles.ts';
import { arbitraryText } from './test-support/arbitrary-cues.ts';
import { video } from './test-support/cues.ts';

describe('publishedDay', () => {
  it.each([
    ['2024-05-01T23:30:00Z', '2024-05-01'],
    ['2024-05-01T23:30:00-07:00', '2024-05-02'],
    ['2024-05-01T23:30:00', '2024-05-01'],
    ['2024-05-01', '2024-05-01'],
  ])('the day of %s is the UTC day %s', (publishedAt, day) => {
    expect(publishedDay(publishedAt)).toBe(day);
  });

  it.each([null, '', 'yesterday', '../../etc', '+012345-01-01T00:00:00Z'])(
    'no day is guessed from %j',
    (publishedAt) => {
      expect(publishedDay(publishedAt)).toBeNull();
    },
  );
});

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

describe('safeFileTitle', () => {
  it.each([
    ['AC/DC: "Live" <a|b> C:\\x *?', 'AC_DC_ _Live_ _a_b_ C__x __'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['-rf .-hidden. . ', 'rf .-hidden'],
    ['line\r\nbreak\ttab', 'line break tab'],
    ['exe\u202egpj\u2066.scr\u0007', 'exegpj.scr'],
    ['a\u{e0041}\u{e0062}b\u{e007f}', 'ab'],
    ['e\u0301te\u0301', '\u00e9t\u00e9'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['Com1 .', '_Com1'],
    ['Console', 'Console'],
    ['COM10', 'COM10'],
    ['a\ud800b', 'a\ufffdb'],
    ['👩‍🚀 שלום', '👩‍🚀 שלום'],
  ])('%j becomes the safe name %j', (title, expected) => {
    expect(safeFileTitle(title)).toBe(expected);
  });

  it.each([null, '', '...', ' - ', '\u202e\u200b', '\u3164', '\r\n'])(
    'nothing is left of %j: the fallback',
    (title) => {
      expect(safeFileTitle(title)).toBe('Untitled');
      expect(safeFileTitle(title, 'GJLlxj_dtq8')).toBe('GJLlxj_dtq8');
    },
  );

  it('an id that starts with a dash is kept whole but cannot be read as an option', () => {
    expect(safeFileTitle(null, '-INveHwbRz4')).toBe('_-INveHwbRz4');
  });

  it('the cap counts bytes and splits no code point', () => {
    expect(safeFileTitle('a'.repeat(300))).toBe('a'.repeat(120));
    expect(safeFileTitle(`a${'é'.repeat(100)}`)).toBe(`a${'é'.repeat(59)}`);
    expect(safeFileTitle(`ab${'😀'.repeat(100)}`)).toBe(`ab${'😀'.repeat(29)}`);
    expect(bytesOf(safeFileTitle(`nul.${'a'.repeat(300)}`))).toBe(120);
  });

  it('the cut never leaves a trailing space or dot', () => {
    expect(safeFileTitle(`${'a'.repeat(118)} . b`)).toBe('a'.repeat(118));
  });

  it('any title gives a name that every system accepts, and making it safe again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryText, fc.string({ unit: 'binary', maxLength: 200 })), (title) => {
        const name = safeFileTitle(title);
        expect(name).toBe(safeFileTitle(name));
        expect(name).toBe(name.normalize('NFC'));
        expect(name.isWellFormed()).toBe(true);
        expect(bytesOf(name)).toBeLessThanOrEqual(120);
        expect(name).toMatch(/^[^\s.-]/u);
        expect(name).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069/\\:*?"<>|]|[\s.]$/u);
      }),
    );
  });
});

describe('attachmentFileName', () => {
  it('the UTC day stands before the title if it is known', () => {
    expect(attachmentFileName(video, { language: 'en', format: 'srt' })).toBe('2024-05-01 - Title.en.srt');
  });

  it('an unknown day is left out and an unknown title gives way to the id', () => {
    const nameOf = (given: Partial<typeof video>) =>
      attachmentFileName({ ...video, ...given }, { language: 'en', format: 'md' });
    expect(nameOf({ published_at: null })).toBe('Title.en.md');
    expect(nameOf({ title: null })).toBe('2024-05-01 - GJLlxj_dtq8.en.md');
    expect(nameOf({ title: null, published_at: null })).toBe('GJLlxj_dtq8.en.md');
  });

  it('no two formats or languages of a video share a name', () => {
    const files = transcriptFormats.flatMap((format) =>
      ['en', 'zh-Hans'].map((language) => attachmentFileName(video, { language, format })),
    );
    expect(new Set(files).size).toBe(files.length);
    expect(files).toContain('2024-05-01 - Title.zh-Hans.clean.txt');
  });

  it('a language code that is no tag cannot change where the name leads', () => {
    expect(attachmentFileName(video, { language: '../e\u202en', format: 'vtt' })).toBe(
      '2024-05-01 - Title.___e_n.vtt',
    );
  });

  it('no name is longer than encrypted folders take, unless its language is no tag', () => {
    for (const title of ['非常に長い題名'.repeat(20), 'A very long title '.repeat(20)])
      for (const format of transcriptFormats) {
        const name = attachmentFileName({ ...video, title }, { language: 'zh-Hant-HK', format });
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(143);
        expect(name).toMatch(/^2024-05-01 - .{30,}\.zh-Hant-HK\.\w/);
      }
    expect(attachmentFileName(video, { language: 'x'.repeat(200), format: 'srt' })).toMatch(
      /^2024-05-01 - Title\.x/,
    );
  });

  it('archives get the same name without extension', () => {
    expect(fileStem(video)).toBe('2024-05-01 - Title');
  });
});

describe('contentDisposition', () => {
  it('an ASCII name needs no extended parameter', () => {
    expect(contentDisposition('2024-05-01 - Title.srt')).toBe('attachment; filename="2024-05-01 - Title.srt"');
  });

  it('any other name is sent exactly, beside a readable ASCII one', () => {
    expect(contentDisposition('Ünï 😀.srt')).toBe(
      `attachment; filename="Uni _.srt"; filename*=UTF-8''%C3%9Cn%C3%AF%20%F0%9F%98%80.srt`,
    );
  });

  it.each(['a"b; filename=x.txt', 'a\r\nSet-Cookie: x', 'a\\b', '../a', '%41.srt', '😀'.repeat(75), '\ud800'])(
    'the name %j cannot break out of the header',
    (name) => {
      const header = contentDisposition(name);
      expect(header).toMatch(
        /^attachment; filename=(?:"[^"\\/%]*"|[\w.]+)(?:; filename\*=UTF-8''[\w%.~!#$&+^`|-]+)?$/,
      );
    },
  );

  it('a name that would be shown backwards is sent without what turns it', () => {
    expect(contentDisposition('invoice\u202etxt\u{e0041}.exe')).toBe('attachment; filename=invoicetxt.exe');
  });

  it('an outside parser reads back the name, whatever it is', () => {
    fc.assert(
      fc.property(arbitraryText, (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(/^[\x20-\x7e]+$/);
        expect(parse(header).parameters.filename).toBe(
          withoutHiddenMarks(name.toWellFormed()).replace(/[\p{Cc}/\\]/gu, '_'),
        );
      }),
    );
  });
});
