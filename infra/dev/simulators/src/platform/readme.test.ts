import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { faultNameSchema } from './faults/fault.ts';

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');

it('the README lists every fault', () => {
  expect(faultNameSchema.options.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
