import { describe, expect, it } from '@jest/globals';
import { parse } from 'content-disposition';
import fc from 'fast-check';
import { withoutBidiControls } from './bidi-controls.ts';
import { contentDisposition } from './content-disposition.ts';
import { arbitraryText } from './test-support/arbitrary-cues.ts';

describe('contentDisposition', () => {
  it('an ASCII name needs no extended parameter', () => {
    expect(contentDisposition('2024-05-01 - Title.srt')).toBe(
      'attachment; filename="2024-05-01 - Title.srt"',
    );
  });

  it('any other name is sent exactly, beside a readable ASCII one', () => {
    expect(contentDisposition('Ünï 😀.srt')).toBe(
      `attachment; filename="Uni _.srt"; filename*=UTF-8''%C3%9Cn%C3%AF%20%F0%9F%98%80.srt`,
    );
  });

  it.each([
    'a"b; filename=x.txt',
    'a\r\nSet-Cookie: x',
    'a\\b',
    '../a',
    '%41.srt',
    '😀'.repeat(75),
    '\ud800',
  ])('the name %j cannot break out of the header', (name) => {
    const header = contentDisposition(name);
    expect(header).toMatch(
      /^attachment; filename=(?:"[^"\\/%]*"|[\w.]+)(?:; filename\*=UTF-8''[\w%.~!#$&+^`|-]+)?$/,
    );
  });

  it('a name that would be shown backwards is sent without what turns it', () => {
    expect(contentDisposition('invoice\u202etxt.exe')).toBe('attachment; filename=invoicetxt.exe');
  });

  it('an outside parser reads back the name, whatever it is', () => {
    fc.assert(
      fc.property(arbitraryText, (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(/^[\x20-\x7e]+$/);
        expect(parse(header).parameters.filename).toBe(
          withoutBidiControls(name.toWellFormed()).replace(/[\p{Cc}/\\]/gu, '_'),
        );
      }),
    );
  });
});
