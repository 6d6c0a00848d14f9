import { firstMatch, type HttpFacts, httpRows, playabilityRows } from '../classification/rows.ts';
import { readChapters } from '../player/read-chapters.ts';
import { extractPlayerJson } from '../player/watch-page.ts';
import { captionText, exactLine, plainLine } from '../reading/tolerant.ts';
import { withValidCharacters } from '../reading/xml.ts';
import { readCaptionBody, readCaptions } from '../timedtext/read-captions.ts';
import { decodeBody } from '../transport/send-request.ts';

const page = (text: string) => {
  const facts: HttpFacts = {
    ...{ endpoint: 'player', status: 200, location: null, isEmpty: false, isHtml: true, errorStatus: '' },
    ...{ page: text, translated: false },
  };
  firstMatch(httpRows, facts);
};
const refusal = (words: string) =>
  firstMatch(playabilityRows, {
    status: 'UNPLAYABLE',
    words,
    captcha: false,
    broadcast: 'none',
    hasDetails: false,
  });
const srv1 = (text: string) => readCaptions(`<transcript><text start="0">${text}</text></transcript>`);
const json3 = (utf8: string) => readCaptions(JSON.stringify({ events: [{ segs: [{ utf8 }] }] }));

/** What a stranger repeats in a text, and what reads that text. */
export const repeatedTexts: readonly (readonly [string, (text: string) => unknown, string])[] = [
  ['a page of open titles', page, '<title> '],
  ['a page of consent addresses', page, 'action="https://consent.a'],
  ['a page of blanks', page, ' '],
  [
    'a watch page of open objects',
    (text) => attemptTo(() => extractPlayerJson(text)),
    'ytInitialPlayerResponse = {',
  ],
  ['a watch page of names', (text) => attemptTo(() => extractPlayerJson(text)), 'ytInitialPlayerResponse"] ='],
  ['words of accounts', refusal, 'account closed their '],
  ['words of numbers', refusal, 'in 1 in 12 '],
  ['words of blanks', refusal, ' '],
  ['captions of open tags', srv1, '&lt;font '],
  ['captions of open breaks', srv1, '&lt;br  '],
  ['captions of ampersands', srv1, '&amp;amp'],
  ['captions of bare ampersands', srv1, '&#x1'],
  ['captions of line breaks', json3, '\r\n \r'],
  ['captions of padding', captionText, ' \u200b\ufdd0'],
  ['references without an end', withValidCharacters, '&abcdefghij'],
  ['controls', withValidCharacters, '\u0001\v'],
  ['a description of times', (text) => readChapters(text, null), '0:00 0:00 '],
  ['a description of chapters', (text) => readChapters(text, null), '1. (0:00) - 1:00 - \n'],
  ['a title of blanks', (text) => plainLine(text, text.length), ' \u0085\t'],
  ['a title of controls', (text) => exactLine(text, text.length), '\u0001\u2028'],
];

/** For counted steps. */
export const works = {
  ...Object.fromEntries(repeatedTexts.map(([name, read]) => [name, read])),
  'a caption body': readCaptionBody,
  /** Of a body with so many names of an encoding, and of a type with as many. */
  'an encoding': (count: number) =>
    decodeBody(Buffer.from(`<?xml ${' encoding'.repeat(count)}`), `text/xml${'; charset'.repeat(count)}`),
};

function attemptTo(work: () => unknown): void {
  try {
    work();
  } catch {
    // A refusal is an answer too.
  }
}
