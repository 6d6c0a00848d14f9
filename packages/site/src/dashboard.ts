import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import escapeHtml from 'escape-html';
import { type Asset, assets, assetTypes } from './assets.ts';

/** The built dashboard: the document of every address below /dashboard, and the files that it loads. */
export type Dashboard = { readonly html: string; readonly files: readonly Asset[] };

const NAMES = 'assets.json';

const addressOf = (name: string): string => `/assets/${name}`;

const documentOf = ({ script, style }: Readonly<Record<string, string>>): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dashboard - Transcripts</title>
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${assets.style.path}">
<link rel="stylesheet" href="${escapeHtml(addressOf(style ?? ''))}">
<link rel="preload" as="font" type="font/woff2" href="${assets.font.path}" crossorigin>
<link rel="icon" href="${assets.icon.path}">
<script src="${escapeHtml(addressOf(script ?? ''))}" type="module"></script></head>
<body data-icon="${assets.icon.path}"><div id="dashboard"></div>
<noscript><main class="sheet"><h1>The dashboard needs scripts</h1><p>Allow scripts for this site, or use <a href="/docs/curl">the API</a>, which does the same.</p></main></noscript></body></html>
`;

/** Reads the folder that the build of the dashboard has written. The names of its files contain the hash of their content. */
export const readDashboard = (folder: string): Dashboard => ({
  html: documentOf(JSON.parse(readFileSync(path.join(folder, NAMES), 'utf8'))),
  files: readdirSync(folder)
    .filter((name) => name !== NAMES)
    .map((name) => ({
      path: addressOf(name),
      contentType: assetTypes[path.extname(name)] ?? 'application/octet-stream',
      body: readFileSync(path.join(folder, name)),
      isText: true,
    })),
});
