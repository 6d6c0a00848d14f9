import { expect, it } from '@jest/globals';
import { replacedNames } from './names.ts';

const namesIn = (text: string, path = 'a.ts') =>
  replacedNames([{ path, text, lines: 1, kind: 'typescript', part: 'product' }]).map(({ name }) => name);

it.each([
  ['const MOST_ROWS = 3;', ['MOST_ROWS']],
  ['const SHORTEST_ID_LENGTH = 3;', ['SHORTEST_ID_LENGTH']],
  ['(parts: FileDeps) => parts', ['parts']],
  ['await disownLine(sql, isNews)', ['disown', 'is News']],
  ['SELECT * FROM due_errands', ['errands']],
  [
    "export { listStreams as streamsOf } from './a.ts'; haltJob();",
    ['halt', 'export { listStreams as streamsOf'],
  ],
  ['hasSignOfLife(headers); // No errand.', ['errand', 'Sign Of Life']],
  ['({ mayGrow }: StoredRow) => memory.learnUnknown(key)', ['mayGrow', 'StoredRow', 'learnUnknown']],
  ['const MAX_ROWS = 3; (parts: number[]) => least(parts)', []],
])('of %s these names are replaced: %j', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

it('says where a name stands, and the word of the field', () => {
  const text = 'a();\nreadVerdict();\n';
  expect(replacedNames([{ path: 'b.ts', text, lines: 2, kind: 'typescript', part: 'tools' }])).toEqual([
    { where: 'b.ts:2', name: 'Verdict', word: 'meaning, outcome, evaluate' },
  ]);
});

it.each([
  ['setImmediate(flush);', 'setImmediate'],
  ['process.nextTick(() => resolve());', 'process.nextTick'],
  ['const underWay = new Map<string, Promise<Buffer>>();', 'Map<string, Promise'],
  ['await Promise.race([work, late]);', 'Promise.race([work, late'],
  ['setTimeout(() => late.reject(error), ms);', 'setTimeout(() => late.reject'],
  ['const ms = FIRST_MS * 2 ** times;', '_MS * 2 **'],
  ['const createSemaphore = 3;', 'const createSemaphore'],
])('%s is an idea that stands in the async folder of base and nowhere else', (text, name) => {
  expect(namesIn(text)).toEqual([name]);
  expect(namesIn(text, 'packages/base/src/async/a.ts')).toEqual([]);
});

it('leaves a use of the ideas alone', () => {
  expect(namesIn('createSemaphore(3); await Promise.race([starting, stopRequested.promise]);')).toEqual([]);
});
