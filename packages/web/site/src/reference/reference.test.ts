import { describe, expect, it } from '@jest/globals';
import { type Route, routeErrors, routeTable } from '@tds/http-api';
import escapeHtml from 'escape-html';
import { createSite } from '../site.ts';
import { answersOf, referenceDocument, schemaName } from './document.ts';
import { bodyForms } from './fields.ts';

const installation = { publicUrl: 'https://api.example', supportEmail: 'help@api.example' };
const document = referenceDocument(installation);
const pages = createSite(installation)
  .pages.filter(({ path }) => path.startsWith('/reference/'))
  .map(({ path, render }) => ({ path, ...render() }));
const operations = new Map(
  document.resources.flatMap((resource) =>
    resource.operations.map((one) => [one.id as string, { ...one, resource }]),
  ),
);

const sectionOf = (html: string, id: string): string => {
  const [, section = ''] = html.split(`<section class="operation" id="${id}">`);
  return section.slice(0, section.indexOf('</section>'));
};

it('begins with what a reader of a transcript API looks for, as OpenAPI and the clients made from it do', () => {
  expect(document.resources.map(({ name }) => name).slice(0, 3)).toEqual([
    'Transcripts',
    'Library',
    'Finding videos',
  ]);
  expect(routeTable[0]?.tag).toBe('Transcripts');
});

describe.each(routeTable.map((row) => [row.id, row] as const))('%s', (id, row: Route) => {
  const operation = operations.get(id);
  const page = pages.find(({ path }) => path === operation?.resource.path);
  const html = page?.html ?? '';
  const section = sectionOf(html, id);

  it('is on the page of its resource, with its route and three samples', () => {
    expect(section).toContain(`<code>${escapeHtml(row.path)}</code>`);
    expect(section).toContain(escapeHtml(row.summary));
    for (const language of ['curl', 'TypeScript', 'Python'])
      expect(section).toContain(`data-language="${language}"`);
  });

  it('has each parameter and each field of its body', () => {
    const names = [row.params, row.query, row.cookies ?? {}, row.body ?? {}].flatMap((fields) =>
      Object.keys(fields),
    );
    for (const name of names) {
      expect(section).toContain(`<code class="name">${escapeHtml(name)}</code>`);
      expect(page?.markdown).toContain(`\`${name}\``);
    }
  });

  it('has each of its codes, as a link to its remedy', () => {
    for (const code of routeErrors(row)) expect(section).toContain(`href="/docs/errors#${code}"`);
  });

  it('has each status of its answers, and each object that they name', () => {
    for (const status of Object.keys(row.responses))
      expect(section).toContain(`<code class="name">${status}</code>`);
    for (const answer of operation ? answersOf(operation) : []) {
      const name = schemaName(answer);
      if (name === undefined) continue;
      const [, object = ''] = html.split(`<section class="object" id="${name}">`);
      expect(object).not.toBe('');
      for (const [, form] of bodyForms(answer, document.schemas))
        for (const field of Object.keys(form.properties ?? {}))
          expect(html).toContain(`<code class="name">${escapeHtml(field)}</code>`);
    }
  });
});
