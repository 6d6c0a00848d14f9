import escapeHtml from 'escape-html';
import { assets } from './assets.ts';

export const SERVICE_NAME = 'Transcript Delivery Service';

export type Link = { readonly href: string; readonly text: string };

/** What a page consists of; `body` and `navigation` are HTML, all else is text. */
export type Layout = {
  readonly title: string;
  readonly description: string;
  /** Its address, by which the header marks the part of the site. */
  readonly path: string;
  readonly body: string;
  readonly navigation?: string;
  /** Further classes of `main`. */
  readonly kind?: string;
  /** The address of the same page in Markdown. */
  readonly twin?: string;
};

const parts: readonly Link[] = [
  { href: '/docs', text: 'Docs' },
  { href: '/reference', text: 'Reference' },
  { href: '/docs/credits', text: 'Pricing' },
  { href: '/status', text: 'Status' },
  { href: '/dashboard', text: 'Dashboard' },
];

const footerLinks: readonly Link[] = [
  { href: '/docs/errors', text: 'Errors' },
  { href: '/docs/changes', text: 'Changes' },
  { href: '/v1/openapi.json', text: 'OpenAPI' },
  { href: '/llms.txt', text: 'llms.txt' },
  { href: '/terms', text: 'Terms' },
];

export const linkHtml = ({ href, text }: Link, isCurrent = false): string =>
  `<a href="${escapeHtml(href)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;

const partOf = (path: string): string | undefined =>
  [...parts].sort((a, b) => b.href.length - a.href.length).find(({ href }) => path.startsWith(href))?.href;

const header = (path: string): string =>
  `<header class="bar"><a class="brand" href="/"><img src="${assets.icon.path}" alt="" width="22" height="22">Transcripts</a>
<nav class="parts" aria-label="Site">${parts.map((part) => linkHtml(part, part.href === partOf(path))).join('')}</nav>
<a class="button first" href="/signin" data-get-key>Get a key</a></header>`;

const footer = (twin: string | undefined): string => {
  const links =
    twin === undefined ? footerLinks : [...footerLinks, { href: twin, text: 'This page as Markdown' }];
  return `<footer class="foot"><nav aria-label="More">${links.map((link) => linkHtml(link)).join('')}</nav></footer>`;
};

/** A whole HTML document: no inline script, no inline style. */
export const layout = (page: Layout): string => {
  const { title, description, path, body, navigation, kind = '', twin } = page;
  const head = [
    `<title>${escapeHtml(title === SERVICE_NAME ? title : `${title} - ${SERVICE_NAME}`)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    `<link rel="stylesheet" href="${assets.style.path}">`,
    `<link rel="preload" as="font" type="font/woff2" href="${assets.font.path}" crossorigin>`,
    `<link rel="icon" href="${assets.icon.path}">`,
    '<link rel="alternate" type="application/atom+xml" href="/v1/changes.atom">',
    twin === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${escapeHtml(twin)}">`,
    `<script src="${assets.script.path}" type="module"></script>`,
  ];
  const side = navigation === undefined ? '' : `<div class="side">${navigation}</div>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${head.filter(Boolean).join('\n')}</head>
<body><a class="skip" href="#main">To the content</a>
${header(path)}
<div class="${side === '' ? 'sheet' : 'sheet with-side'}">${side}
<main id="main" class="${kind}">
${body}
</main></div>
${footer(twin)}
</body></html>
`;
};
