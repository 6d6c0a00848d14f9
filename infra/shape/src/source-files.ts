import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export type SourceFile = {
  /** Relative to the checkout. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** `services/identity`, `infra/local`. */
  readonly unit: string;
  readonly kind: 'source' | 'test' | 'sql' | 'migration';
};

const TEST = /\.test\.ts$|\/test-support\/|\/testing\/|^packages\/test-kit\/|^test-e2e\//;
const SOURCE = /\.(?:ts|mjs|sql)$/;
const DOCS = /^docs\//;

const kindOf = (file: string): SourceFile['kind'] => {
  if (TEST.test(file)) return 'test';
  if (!file.endsWith('.sql')) return 'source';
  return file.includes('/migrations/') ? 'migration' : 'sql';
};

const unitOf = (file: string): string => file.split('/').slice(0, 2).join('/');

const fileAt = (root: string, file: string): SourceFile => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const lines = text.split('\n').length - 1;
  return { path: file, text, lines, unit: unitOf(file), kind: kindOf(file) };
};

/** Every file of code that git keeps. */
export const sourceFiles = (root: string): SourceFile[] =>
  execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => SOURCE.test(file) && !DOCS.test(file) && file.includes('/'))
    .map((file) => fileAt(root, file));
