import { describe, expect, it } from '@jest/globals';
import { evaluateFailures } from './failed-files.ts';

const failed = (file: string | null, ...titles: string[]) => ({ file, titles });
const passing = async () => true;

describe('what failed in a run', () => {
  it('passes alone, is named, and does not fail the run', async () => {
    expect(await evaluateFailures([failed('a.test.ts', 'waits')], passing)).toEqual({
      flaky: ['a.test.ts: waits'],
      red: [],
    });
  });

  it.each([
    ['fails alone, too', [failed('a.test.ts', 'waits')], async () => false, 'a.test.ts: waits'],
    ['is no test file', [failed(null, 'lint')], passing, 'lint'],
    ['says nothing', [], passing, 'no test file says why'],
    ['are many files', Array.from({ length: 13 }, () => failed('a.test.ts', 'b')), passing, '13 files'],
  ])('fails the run if it %s', async (_title, failures, alone, why) => {
    const { red } = await evaluateFailures(failures, alone);
    expect(red.join('\n')).toContain(why);
  });
});
