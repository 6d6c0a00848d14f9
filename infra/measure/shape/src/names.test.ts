import { expect, it } from '@jest/globals';
import { replacedNames } from './names.ts';

const namesIn = (text: string) =>
  replacedNames([{ path: 'a.ts', text, lines: 1, kind: 'typescript', part: 'product' }]).map(
    ({ name }) => name,
  );

it.each([
  ['const MOST_ROWS = 3;', ['MOST_ROWS']],
  ['const SHORTEST_ID_LENGTH = 3;', ['SHORTEST_ID_LENGTH']],
  ['(parts: FileDeps) => parts', ['parts']],
  ['await takePlaces(sql)', ['takePlaces']],
  ['const MAX_ROWS = 3; (parts: number[]) => least(parts)', []],
])('of %s these names are replaced: %j', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

it('says where a name stands, and the word of the field', () => {
  const text = 'a();\nsettleSoon();\n';
  expect(replacedNames([{ path: 'b.ts', text, lines: 2, kind: 'typescript', part: 'tools' }])).toEqual([
    { where: 'b.ts:2', name: 'settleSoon', word: 'settlement' },
  ]);
});
