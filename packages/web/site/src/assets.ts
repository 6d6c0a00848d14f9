import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A file beside the pages. Its name contains the hash of its content, so browsers keep it for ever. */
export type Asset = {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** Whether compression makes it smaller. */
  readonly isText: boolean;
};

const HASH_CHARACTERS = 12;
export const assetTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.tgz': 'application/gzip',
  '.py': 'text/x-python; charset=utf-8',
};

const folder = path.join(import.meta.dirname, '../assets');
const inter = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);

const asset = (name: string, body: Buffer): Asset => {
  const { name: stem, ext } = path.parse(name);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_CHARACTERS);
  const contentType = assetTypes[ext] ?? 'application/octet-stream';
  return { path: `/assets/${stem}.${hash}${ext}`, contentType, body, isText: ext !== '.woff2' };
};

const read = (name: string): Buffer => readFileSync(path.join(folder, name));
const font = asset('inter.woff2', readFileSync(inter));
const stylesheet = [
  'tokens.css',
  'base.css',
  'parts.css',
  'code.css',
  'landing.css',
  'entries.css',
  'reference.css',
  'status.css',
  'handed.css',
]
  .map((name) => read(name).toString('utf8'))
  .join('\n')
  .replace('inter.woff2', font.path);

/** The files that pages load. */
export const assets = {
  font,
  style: asset('site.css', Buffer.from(stylesheet)),
  script: asset('site.js', read('site.js')),
  icon: asset('icon.svg', read('icon.svg')),
} as const satisfies Record<string, Asset>;
