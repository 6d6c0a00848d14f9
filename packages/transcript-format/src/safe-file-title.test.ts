import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { safeFileTitle } from './safe-file-title.ts';
import { arbitraryText } from './test-support/arbitrary-cues.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

describe('safeFileTitle', () => {
  it.each([
    ['AC/DC: "Live" <a|b> C:\\x *?', 'AC_DC_ _Live_ _a_b_ C__x __'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['-rf .-hidden. . ', 'rf .-hidden'],
    ['line\r\nbreak\ttab', 'line break tab'],
    ['exe\u202egpj\u2066.scr\u0007', 'exegpj.scr'],
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
