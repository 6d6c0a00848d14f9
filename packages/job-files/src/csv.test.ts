import { expect, it } from '@jest/globals';
import { csvTable } from './csv.ts';

const lineOf = (cell: string | number | null) => csvTable(['a'], [[cell]]).slice('a\r\n'.length);

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

it('a table without rows is its header', () => {
  expect(csvTable(['date', 'key_id'], [])).toBe('date,key_id\r\n');
});
