import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import escapeHtml from 'escape-html';
import { type Asset, assets, assetTypes } from './assets.ts';

/** What the bootstrap has built: the dashboard, and the packages that customers install. */
type BuiltSite = {
  /** The document of every address below /dashboard, with the origin of the player. */
  readonly html: (player: string) => string;
  /** What it loads. */
  readonly files: readonly Asset[];
  readonly downloads: readonly Download[];
};

/** Its address names its content, and never changes. */
export type Download = Asset & {
  /** The address of the newest one of its name. */
  readonly newest: string;
};

const NAMES = 'assets.json';

const ASSETS = '/assets';

const renderDocument = (
  { script, style }: Readonly<Record<string, string>>,
  player: string,
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dashboard - Transcripts</title>
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${assets.style.path}">
<link rel="stylesheet" href="${escapeHtml(`${ASSETS}/${style}`)}">
<link rel="preload" as="font" type="font/woff2" href="${assets.font.path}" crossorigin>
<link rel="icon" href="${assets.icon.path}">
<script src="${escapeHtml(`${ASSETS}/${script}`)}" type="module"></script></head>
<body data-icon="${assets.icon.path}" data-player="${escapeHtml(player)}"><div id="dashboard"></div>
<noscript><main class="sheet"><h1>The dashboard needs scripts</h1><p>Allow scripts for this site, or use <a href="/docs/curl">the API</a>, which does the same.</p></main></noscript></body></html>
`;

const toAsset = (name: string, address: string, body: Buffer): Asset => ({
  path: `${address}/${name}`,
  contentType: assetTypes[path.extname(name)] ?? 'application/octet-stream',
  body,
  isText: !name.endsWith('.tgz'),
});

const filesIn = (folder: string): readonly (readonly [name: string, body: Buffer])[] =>
  readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]);

const DOWNLOAD = /^([a-z][a-z\d_]{0,29})-\d{1,4}\.\d{1,4}\.\d{1,4}-[0-9a-f]{12}(\.(?:tgz|py))$/;
const DOWNLOADS = '/downloads';

/** Whether a package of this release, or of another one, may have this file name. */
export const isDownload = (name: string): boolean => DOWNLOAD.test(name);

export const toDownload = (name: string, body: Buffer): Download => ({
  ...toAsset(name, DOWNLOADS, body),
  newest: `${DOWNLOADS}/${name.replace(DOWNLOAD, '$1$2')}`,
});

/** Reads the folder that the bootstrap has written. The names of what the dashboard loads contain the hash of their content. */
export const readBuiltSite = (folder: string): BuiltSite => ({
  html: (player) =>
    renderDocument(JSON.parse(readFileSync(path.join(folder, 'dashboard', NAMES), 'utf8')), player),
  files: filesIn(path.join(folder, 'dashboard'))
    .filter(([name]) => name !== NAMES)
    .map(([name, body]) => toAsset(name, ASSETS, body)),
  downloads: filesIn(path.join(folder, 'downloads')).map(([name, body]) => toDownload(name, body)),
});
