import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { CREDIT_BLOCKS, tierLimits } from '@tds/contracts';
import { errorClasses, errorCodes } from '@tds/errors';
import { apiChanges, openApiDocument, routeTable } from '@tds/http-api';
import { internalDescriptions, internalWords } from '@tds/test-kit';
import escapeHtml from 'escape-html';
import { assets } from './assets.ts';
import { isDownload, toDownload } from './built.ts';
import { number } from './facts.ts';
import { createSite } from './site.ts';

const site = createSite({ publicUrl: 'https://api.example', supportEmail: 'help@api.example' });
const { llms } = site;
const pages = site.pages.map(({ render, ...page }) => ({ ...page, ...render() }));
const pageAt = (path: string) => {
  const page = pages.find((one) => one.path === path);
  if (page === undefined) throw new Error(`no page at ${path}`);
  return page;
};
const MAX_GZIP_BYTES = 35 * 1_024;
/** Pages and files of the gateway that are not made here. */
const elsewhere = [
  '/status',
  '/llms.txt',
  '/v1/openapi.json',
  '/v1/changes',
  '/v1/changes.atom',
  '/v1/checkout',
  '/docs/webhook-vectors.json',
  '/dashboard',
  '/dashboard/billing',
  '/dashboard/connections',
  '/dashboard/jobs/new',
  '/dashboard/library',
  '/dashboard/links',
  '/dashboard/read',
  '/dashboard/receivers',
  '/dashboard/settings',
];
const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe.each(pages.map((page) => [page.path, page] as const))(
  '%s',
  (path, { html, markdown, title, twin }) => {
    it('has no inline script, style or handler', () => {
      expect(html.match(/<script(?![^>]* src="\/assets\/site\.\w+\.js")/g)).toBeNull();
      expect(html).not.toMatch(/<style|<[^>]+\s(style|on\w+)=/i);
      expect(html).not.toContain('javascript:');
    });

    it('is at most 35 KB with gzip', () => {
      expect(gzipSync(html).length).toBeLessThan(MAX_GZIP_BYTES);
    });

    it('has no words of our code', () => {
      expect(internalWords(markdown)).toEqual([]);
    });

    it('has one main, one h1, headings in order, and each id once', () => {
      expect(html.match(/<main /g)).toHaveLength(1);
      const depths = [...html.matchAll(/<h([1-6])/g)].map(([, depth]) => Number(depth));
      expect(depths.filter((depth) => depth === 1)).toHaveLength(1);
      expect(depths[0]).toBe(1);
      for (const [index, depth] of depths.entries()) {
        expect(depth - (depths[index - 1] ?? 0)).toBeLessThanOrEqual(1);
      }
      const ids = idsIn(html);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    });

    it('leads to addresses and anchors that exist', () => {
      const known = new Map<string, readonly (string | undefined)[]>([
        ...pages.map((page) => [page.path, idsIn(page.html)] as const),
        ...pages.map((page) => [page.twin, []] as const),
        ...[...elsewhere, ...Object.values(assets).map((asset) => asset.path)].map((one) => [one, []] as const),
      ]);
      for (const [, link = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(link, `https://api.example${path}`);
        if (origin !== 'https://api.example') continue;
        expect([link, known.has(pathname)]).toEqual([link, true]);
        if (hash !== '') expect([link, known.get(pathname)?.includes(hash.slice(1))]).toEqual([link, true]);
      }
    });

    it('has a twin in Markdown that begins with its title, and is in llms.txt', () => {
      expect(markdown.startsWith(`# ${title}\n`)).toBe(true);
      expect(markdown).not.toContain('{{');
      expect(llms).toContain(`(https://api.example${twin})`);
    });
  },
);

describe('/docs/errors', () => {
  const { html } = pageAt('/docs/errors');

  it.each(Object.keys(errorClasses))('has the section %s, at which docs_url points', (name) => {
    expect(html).toContain(`<section id="${name}">`);
  });

  it.each(Object.entries(errorCodes))('has %s with its remedy', (code, { remedy }) => {
    const [, section = ''] = html.split(` id="${code}">`);
    expect(section.slice(0, section.indexOf('</dd>'))).toContain(escapeHtml(remedy));
  });
});

it('/docs/credits has each limit of both tiers, and each block with a place for its price', () => {
  const { html } = pageAt('/docs/credits');
  for (const block of CREDIT_BLOCKS) {
    expect(html).toContain(number(block));
    expect(html).toContain(`data-price="${block}"`);
  }
  const rows = html.split('<tr>');
  for (const limit of ['requestsPerMinute', 'coldFetchesPerDay', 'monitors', 'liveKeys'] as const) {
    const [free, paid] = [number(tierLimits.free[limit]), number(tierLimits.paid[limit])];
    expect(rows.some((row) => row.includes(`<td>${free}</td>`) && row.includes(`<td>${paid}</td>`))).toBe(true);
  }
});

it('/docs/changes has each change under its day', () => {
  for (const { date } of apiChanges) expect(pageAt('/docs/changes').html).toContain(`id="${date}"`);
});

it('the landing page names a video that this installation has', () => {
  const local = createSite({
    publicUrl: 'https://api.example',
    supportEmail: 'help@localhost',
    exampleVideo: 'manualEn001',
  });
  const texts = local.pages.map(({ render }) => Object.values(render()).join());
  expect(texts[0]).toContain('https://api.example/v1/transcript?video_id=manualEn001');
  expect(texts.filter((text) => text.includes('dQw4w9WgXcQ'))).toEqual([]);
  expect(pageAt('/').html).toContain('https://api.example/v1/transcript?video_id=dQw4w9WgXcQ');
});

it('the signed delivery of /docs/webhooks is signed with the secret beside it', () => {
  const page = pageAt('/docs/webhooks').markdown;
  const [, secret = '', headers = '', body = ''] =
    /With the secret `(\w+_[^`]+)`[\s\S]*?```http\n([\s\S]*?)\n\n([\s\S]*?)\n```/.exec(page) ?? [];
  const [, timestamp] = /X-Service-Timestamp: (\d+)/.exec(headers) ?? [];
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  expect(headers).toContain(`X-Service-Signature: v1=${mac}`);
});

it('the landing page and llms.txt have a door for readers, for assistants and for programs', () => {
  for (const text of [pageAt('/').html, llms]) {
    expect(text).toContain('/dashboard/read');
    expect(text).toContain('passages');
  }
  expect(pageAt('/').html).toContain('<a href="/docs/assistants">');
  expect(pageAt('/').html).toContain('<b data-price="1000">');
});

it('a guide for people without a program names the views and buttons of the dashboard, and the landing page leads to it', () => {
  const { markdown, html } = pageAt('/docs/reading');
  for (const way of ['/dashboard/read', '/dashboard/library', '/dashboard/jobs/new', '/docs/files'])
    expect(html).toContain(`href="${way}"`);
  for (const name of ['Results as CSV', 'Copy the quote', 'Cite', 'Print']) expect(markdown).toContain(name);
  expect(pageAt('/').html).toContain('href="/docs/reading"');
});

it('the stylesheet loads nothing from elsewhere', () => {
  const css = assets.style.body.toString('utf8');
  expect([...css.matchAll(/url\("([^"]+)"\)/g)].map(([, address]) => address)).toEqual([assets.font.path]);
  expect(css).not.toContain('@import');
});

it('text has digits and hyphens of their own width: only columns of figures have equal ones', () => {
  const css = assets.style.body.toString('utf8');
  const rules = [...css.matchAll(/([^{}]+)\{[^{}]*tabular-nums/g)].flatMap(([, names = '']) =>
    names.split(','),
  );
  expect(rules.map((name) => name.trim()).toSorted()).toEqual([
    '.figures dd',
    '.number',
    '.passage > a',
    '.value',
  ]);
  expect(css).toMatch(/html \{[^}]*font-variant-ligatures: no-contextual/);
});

it('no request of the front page or beside an operation is cut at the edge of its card', () => {
  const css = assets.style.body.toString('utf8');
  const [, wrapped = ''] = /([^{}]+)\{\s*white-space: pre-wrap;\s*overflow-wrap: anywhere;/.exec(css) ?? [];
  expect(wrapped.split(',').map((name) => name.trim())).toEqual(['.try pre', '.samples pre']);
});

it('the OpenAPI document has no words of our code', () => {
  const document = openApiDocument(routeTable, 'https://api.example', 'help@api.example');
  expect(internalDescriptions(document)).toEqual([]);
});

it.each([
  ['n8n-1.0.0-0123456789ab.tgz', '/downloads/n8n.tgz'],
  ['transcript_delivery-1.0.0-0123456789ab.py', '/downloads/transcript_delivery.py'],
])('the package %s is the newest one at %s', (name, newest) => {
  expect(isDownload(name)).toBe(true);
  expect(toDownload(name, Buffer.from('a package'))).toMatchObject({ path: `/downloads/${name}`, newest });
});
