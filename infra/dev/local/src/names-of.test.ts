import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';
import { filesWith } from './test-support/files-with.ts';

const SOURCES = ['{packages,packages/*,services}/*/src/**/*.{ts,tsx}'];

it('an exported name that ends in Of has one meaning in all packages and services', () => {
  const { found } = filesWith(/^export const [a-z]\w*Of\b/m, SOURCES, import.meta.filename);
  const names = found.flatMap((file) => {
    const text = readFileSync(path.join(workspaceRoot, file), 'utf8');
    return [...text.matchAll(/^export const ([a-z]\w*Of)\b/gm)].map(([, name]) => name);
  });
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
  expect(names.length).toBeGreaterThan(50);
});
