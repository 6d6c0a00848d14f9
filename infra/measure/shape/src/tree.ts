import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * `product` serves customers; `site` is the pages that they read; `dashboard` is the application in their browser;
 * `clients` are what they install; `tools` start, simulate, measure and prove it.
 */
export type Part = 'product' | 'site' | 'dashboard' | 'clients' | 'tools' | 'tests';
export type SourceFile = {
  /** Relative to the checkout. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly kind: 'typescript' | 'sql' | 'migration' | 'page';
  readonly part: Part;
};

const TEST = /\.test\.ts$|\/test_[^/]+\.py$|\/test-support\/|\/testing\/|^infra\/test\/|^test-e2e\//;
const SOURCE = /\.(?:tsx?|mjs|sql|css|html|py)$/;
const DOCS = /^docs\//;
const GENERATED = /\/src\/generated\//;
const TOOL = /^infra\//;
/** They are installed by customers and know nothing of the services. */
const CLIENT = /^packages\/clients\//;
/** Texts, layout and styles. */
const SITE = /^packages\/web\/site\//;
const DASHBOARD = /^packages\/web\/dashboard\//;
/** It gives the services their rights on broker, Redis and database in production. */
const OPERATED = /^infra\/deploy\/provisioning\//;

const partOf = (file: string): Part => {
  if (TEST.test(file)) return 'tests';
  if (CLIENT.test(file)) return 'clients';
  if (SITE.test(file)) return 'site';
  if (DASHBOARD.test(file)) return 'dashboard';
  return TOOL.test(file) && !OPERATED.test(file) ? 'tools' : 'product';
};

const kindOf = (file: string): SourceFile['kind'] => {
  if (file.endsWith('.sql')) return file.includes('/migrations/') ? 'migration' : 'sql';
  return /\.(?:tsx?|mjs|py)$/.test(file) ? 'typescript' : 'page';
};

const readSource = (root: string, file: string): SourceFile => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const lines = text.split('\n').length - 1;
  return { path: file, text, lines, kind: kindOf(file), part: partOf(file) };
};

/** A tracked file that is deleted and not yet staged has no text to read. */
const trackedFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));

/** Every code file that git tracks. */
export const sourceFiles = (root: string): SourceFile[] =>
  trackedFiles(root)
    .filter((file) => SOURCE.test(file) && !DOCS.test(file) && !GENERATED.test(file) && file.includes('/'))
    .map((file) => readSource(root, file));

/** What a newcomer reads before the first change. */
const NEWCOMERS_DOCUMENTS = [
  'README.md',
  'docs/first-hour.md',
  'docs/architecture.md',
  'CONTRIBUTING.md',
  'STYLE_GUIDE.md',
];

export const countNewcomersWords = (root: string): number =>
  NEWCOMERS_DOCUMENTS.reduce(
    (sum, file) => sum + readFileSync(path.join(root, file), 'utf8').split(/\s+/).length,
    0,
  );
