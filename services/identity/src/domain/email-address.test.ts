import { describe, expect, it } from '@jest/globals';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import fc from 'fast-check';
import { domainOf, isDisposableDomain, normalizeEmail } from './email-address.ts';

const cyrillicA = '\u0430';

describe('normalizeEmail', () => {
  it.each([
    ['as it is', 'a@ex.com', 'a@ex.com'],
    ['upper case', 'A@Ex.COM', 'a@ex.com'],
    ['blanks around', ' \ta@ex.com \n', 'a@ex.com'],
    ['zero-width and direction marks around', '\u200e\u202aa@ex.com\u202c\u200b', 'a@ex.com'],
    [
      'word joiners and isolates inside, as copied from a mail',
      '\u2068a\u2060@\u2060ex\u2060.\u2060com\u2069',
      'a@ex.com',
    ],
    ['fullwidth letters and signs', 'ａ＠ｅｘ．ｃｏｍ', 'a@ex.com'],
    ['an ideographic full stop', 'a@ex。com', 'a@ex.com'],
    ['a soft hyphen in the domain', 'a@e\u00adx.com', 'a@ex.com'],
    ['an international domain', 'a@BÜCHER.example', 'a@xn--bcher-kva.example'],
    ['the same one in its ASCII form', 'a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
    ['decomposed letters', 'a@bu\u0308cher.example', 'a@xn--bcher-kva.example'],
    ['an international top-level domain', 'a@пример.рф', 'a@xn--e1afmkfd.xn--p1ai'],
    ['a plus tag, kept', 'a+b@ex.com', 'a+b@ex.com'],
    ['dots, kept', 'a.b@gmail.com', 'a.b@gmail.com'],
    ["an apostrophe, as in O'Neill", "o'neill@ex.com", "o'neill@ex.com"],
    ['a Kelvin sign', 'jac\u212a@ex.com', 'jack@ex.com'],
  ])('accepts %s', (_what, text, normalized) => {
    expect(normalizeEmail(text)).toBe(normalized);
  });

  it('keeps a homograph apart from its model', () => {
    const homograph = normalizeEmail(`a@ex${cyrillicA}mple.com`);
    expect(homograph).toBe('a@xn--exmple-4nf.com');
    expect(homograph).not.toBe(normalizeEmail('a@example.com'));
  });

  it.each([
    ['nothing', ''],
    ['no sign', 'ex.com'],
    ['no local part', '@ex.com'],
    ['no domain', 'a@'],
    ['two signs', 'a@b@ex.com'],
    ['a header after a line break', 'a@b.com\r\nBcc: c@d.com'],
    ['a header after a bare line feed', 'a@b.com\nBcc: c@d.com'],
    ['a bare line break inside', 'a\r\n@b.com'],
    ['a half header', 'a@b\r\nBcc:'],
    ['a NUL', 'a\0@ex.com'],
    ['a blank inside', 'a b@ex.com'],
    ['a list', 'a@ex.com,b@ex.com'],
    ['a display name', 'A <a@ex.com>'],
    ['a quoted local part', '"a b"@ex.com'],
    ['a comment', 'a(b)@ex.com'],
    ['a Cyrillic letter in the local part', `p${cyrillicA}y@ex.com`],
    ['a route with a per cent sign', 'a%b.com@ex.com'],
    ['a bang route', 'ex.com!a@ex.org'],
    ['a dot first', '.a@ex.com'],
    ['a dot last', 'a.@ex.com'],
    ['two dots', 'a..b@ex.com'],
    ['one label', 'a@localhost'],
    ['an IPv4 address', 'a@127.0.0.1'],
    ['an IPv4 address in disguise', 'a@0x7f.1'],
    ['an address literal', 'a@[127.0.0.1]'],
    ['a port', 'a@ex.com:25'],
    ['a path', 'a@ex.com/x'],
    ['a query', 'a@ex.com?x=.com'],
    ['a fragment', 'a@ex.com#.org'],
    ['an encoded domain', 'a@ex%2ecom'],
    ['a trailing dot', 'a@ex.com.'],
    ['an empty label', 'a@ex..com'],
    ['a hyphen first in a label', 'a@-ex.com'],
    ['a hyphen last in a label', 'a@ex-.com'],
    ['an underscore in the domain', 'a@e_x.com'],
    ['a zero-width joiner in the domain', 'a@\u200dex.com'],
    ['a lone surrogate', 'a@\ud800ex.com'],
    ['a label of 64 characters', `a@${'x'.repeat(64)}.com`],
    ['a local part of 65 characters', `${'a'.repeat(65)}@ex.com`],
    ['255 characters', `a@${`${'x'.repeat(62)}.`.repeat(4)}c`],
    ['a megabyte', `${'a'.repeat(1_000_000)}@ex.com`],
  ])('rejects %s', (_what, text) => {
    expect(normalizeEmail(text)).toBeNull();
  });

  it('accepts an address of 254 characters', () => {
    const address = `${'a'.repeat(62)}@${`${'x'.repeat(62)}.`.repeat(3)}cc`;
    expect(address).toHaveLength(254);
    expect(normalizeEmail(address)).toBe(address);
  });

  it('returns null or a plain ASCII address that normalises to itself', () => {
    const nearlyAddress = fc
      .tuple(fc.string({ unit: 'binary' }), fc.constantFrom('@', '＠', ''), fc.string({ unit: 'grapheme' }))
      .map(([local, at, domain]) => `${local}${at}${domain}.com`);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress(), nearlyAddress), (text) => {
        const normalized = normalizeEmail(text);
        if (normalized === null) return;
        expect(normalized).toMatch(/^[!-~]+@[!-~]+$/);
        expect(normalizeEmail(normalized)).toBe(normalized);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('isDisposableDomain', () => {
  const listed = disposableEmailBlocklistSet();
  const isRefused = (text: string) => isDisposableDomain(domainOf(normalizeEmail(text) ?? ''), listed);

  it.each(['a@mailinator.com', 'a@MAILINATOR.com', 'a@x.y.mailinator.com', 'a@ｍａｉｌｉｎａｔｏｒ．ｃｏｍ'])(
    'includes %s',
    (email) => {
      expect(isRefused(email)).toBe(true);
    },
  );

  it.each(['a@gmail.com', 'a@maillinator-fans.example', 'a@mailinator.com.example.org', 'a@com.example'])(
    'does not include %s',
    (email) => {
      expect(isRefused(email)).toBe(false);
    },
  );
});
