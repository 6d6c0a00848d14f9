import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter } from '@tds/jest';
import fc from 'fast-check';
import { createUnfold, foldText } from './fold.ts';

const steps = createStepCounter<string>(new URL('test-support/works.ts', import.meta.url));
afterAll(steps.stop);

/** What is seen of `text` if a search finds `words` in it. */
const seenIn = (text: string, words: string): string => {
  const [folded, wanted] = [foldText(text), foldText(words)];
  const start = folded.indexOf(wanted);
  const span = createUnfold(text)({ start, end: start + wanted.length });
  return start < 0 ? 'nothing' : text.slice(span.start, span.end);
};

describe('a folded text', () => {
  it.each([
    ['Café, RÉSUMÉ, naïve, Beyoncé', 'cafe, resume, naive, beyonce'],
    ['São Paulo, Ångström, Łódź, Hà Nội, Đà Nẵng, été', 'sao paulo, angstrom, lodz, ha noi, da nang, ete'],
    ['Øre, æble, œuvre, STRAẞE, ﬁnance, ＦＵＬＬ, CO₂', 'ore, aeble, oeuvre, strasse, finance, full, co2'],
    ['İSTANBUL İstanbul ısı', 'istanbul istanbul isi'],
    ['Αθήνα ΟΔΟΣ', 'αθηνα οδοσ'],
    ['Ёлка, за́мок, май, мои', 'елка, замок, май, мои'],
    ['مُحَمَّد أحمد إسلام آخر ٱلله كــتاب', 'محمد احمد اسلام اخر الله كتاب'],
    ['שָׁלוֹם צה״ל ז׳', "שלום צהל ז'"],
    ['don’t can‘t rock´n`roll', "don't can't rock'n'roll"],
    ['“a” „b“ «c» co‑operate 1–2 −3', '"a" "b" "c" co-operate 1-2 -3'],
    ['soft\u00adhyphen no\u200bwidth می\u200cخواهم', 'softhyphen nowidth مي\u200cخواهم'],
    ['Школа №5, iPhone™, 1½, 5㎞', 'школа  5, iphone , 1 1⁄2 , 5 km '],
    ['۲۰۲۴ २०२४ ২০২৪ ๒๕๖๗ ٢٠٢٤', '2024 2024 2024 2567 2024'],
    ['نشيا كتاب علی خانۀ', 'نشيا كتاب علي خانه'],
    ['हिन्दी फ़िल्म चाँद ज़िन्दगी', 'हिंदी फिल्म चांद जिंदगी'],
    ['Ինչպե՞ս ԵՐԵՎԱՆ Երևան', 'ինչպես երեւան երեւան'],
    ['п’ять, col·legi, O’Brien', "пять, collegi, o'brien"],
    ['নৎ നൻ ሠላም 臺灣 Azərbaycan þing', 'নত্ നന് ሰላም 台灣 azerbaycan thing'],
  ])('of %j has no case, accents or signs of print', (text, folded) => expect(foldText(text)).toBe(folded));

  it.each([
    ['हिन्दी', 'हन्द'],
    ['ที่', 'ท'],
    ['ガ', 'カ'],
    ['မြန်မာ', 'မနမာ'],
    ['தமிழ்', 'தமழ'],
  ])('keeps in %s the marks that are vowels or sounds', (text, other) => {
    expect(foldText(text)).not.toBe(foldText(other));
    expect(foldText(text)).toBe(foldText(text.normalize('NFD')));
  });

  it('does not depend on how a text is composed, and folds to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
        expect(foldText(text.normalize('NFD'))).toBe(folded);
      }),
      { numRuns: 100 },
    );
  });
});

describe('what was found', () => {
  it.each([
    ['A Cafe\u0301 au lait', 'CAFÉ', 'Cafe\u0301'],
    ['ﬁne ½ cup of İstanbul', 'istanbul', 'İstanbul'],
    ['Große Straße', 'stras', 'Straß'],
    ['a soft\u00adhyphen, b', 'softhyphen', 'soft\u00adhyphen'],
    ['💥 שָׁלוֹם לכם', 'שלום', 'שָׁלוֹם'],
    ['plain words', 'WORDS', 'words'],
    ['“Don’t”', '"don\'t"', '“Don’t”'],
  ])('in %j by %j stands there as it is written', (text, words, seen) =>
    expect(seenIn(text, words)).toBe(seen),
  );
});

it('a text of a day is folded in steps that grow with its length', async () => {
  for (const unit of ['а\u0301', 'a\u0301\u0302', '\u0301', 'ﷺ', 'é ']) {
    const few = await steps.count('fold', unit.repeat(2_000));
    expect(await steps.count('fold', unit.repeat(16_000))).toBeLessThan(few * 12);
  }
});
