import { expect, it } from '@jest/globals';
import { findMarks } from './marks.ts';

const marked = (text: string): string[] =>
  findMarks(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

it.each([
  ['[Music] >> Hello. >> [Applause] Thanks.', ['sound [Music]', 'turn >>', 'turn >>', 'sound [Applause]']],
  ['>>> News', ['turn >>>']],
  ['♪ la la ♪', ['sound ♪', 'sound ♪']],
  ['(laughter)', ['sound (laughter)']],
  ['（笑声）', ['sound （笑声）']],
  ['【拍手】です', ['sound 【拍手】']],
  ['He said (quietly) no.', []],
  ['a >>b, a>>b and 1 > 0', ['turn >>']],
  [`[${'a'.repeat(100)}]`, []],
  ['', []],
])('%j has the marks %j', (text, marks) => expect(marked(text)).toEqual(marks));

it('many open brackets are read in linear time', () => {
  const text = '['.repeat(200_000);
  expect(findMarks(text)).toEqual([]);
});
