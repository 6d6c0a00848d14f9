import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { faultNameSchema } from './faults/fault.ts';
import { specialVideos } from './index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8').replace(/ +/g, ' ');
const missing = (lines: readonly string[]): string[] => lines.filter((line) => !readme.includes(line));

describe('README', () => {
  it('lists every special video as the code has it', () => {
    const rows = specialVideos.map(
      ({ id, behaviour, expect: { outcome } }) => `| \`${id}\` | ${behaviour} | ${outcome} |`,
    );
    expect(missing(rows)).toEqual([]);
  });

  it('lists every fault', () => {
    expect(missing(faultNameSchema.options.map((name) => `| \`${name}\` |`))).toEqual([]);
  });
});
