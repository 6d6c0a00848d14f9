import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';

const EVERYWHERE = '{docs,services,packages,infra,test-e2e}/**/*.md';
/** Texts of pages: their links are addresses, which the tests of the site follow. */
const PAGES = 'packages/web/site/content';
const documents = globSync(['*.md', EVERYWHERE], {
  cwd: workspaceRoot,
  exclude: (name) => name === 'node_modules',
}).filter((file) => !file.startsWith(PAGES));

const read = (file: string): string =>
  readFileSync(path.join(workspaceRoot, file), 'utf8').replace(/^```.*?^```/gms, '');

/** As in an address: lower case, hyphens for blanks, no punctuation. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const leadsSomewhere = (file: string, link: string): boolean => {
  const [target = '', anchor] = link.split('#');
  const to = target === '' ? file : path.join(path.dirname(file), target);
  if (!statSync(path.join(workspaceRoot, to), { throwIfNoEntry: false })) return false;
  if (anchor === undefined || !to.endsWith('.md')) return true;
  return [...read(to).matchAll(/^#+ (.+)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor);
};

type Step = { readonly file: string; readonly says: string };

/** The numbered steps of each road of the first hour. */
const roads: readonly (readonly [string, readonly Step[]])[] = read('docs/first-hour.md')
  .split('\n### ')
  .slice(1)
  .map((section) => [
    section.split('\n', 1)[0] ?? '',
    [...section.matchAll(/^\d+\. \[`[^`]+`\]\(([^)]+)\)(.*)$/gm)].map(([, file = '', says = '']) => ({
      file: path.join('docs', file),
      says,
    })),
  ]);

describe('a road of the first hour', () => {
  it.each(roads)(
    '%s: what a step names stands in its file, and what it emits is heard by a later one',
    (_, steps) => {
      expect(steps.length).toBeGreaterThan(5);
      const isIn = (pattern: string, { file }: Step) => new RegExp(pattern).test(read(file));
      const named = (says: string, verb = '') =>
        [...says.matchAll(new RegExp(`${verb}\`(\\w+)\``, 'g'))].map(([, name = '']) => name);
      const problems = steps.flatMap((step, index) => {
        const heardLater = (event: string) =>
          steps.slice(index + 1).some((later) => named(later.says, 'hears ').includes(event));
        return [
          ...named(step.says).filter((name) => !isIn(`\\b${name}\\b`, step)),
          ...named(step.says, 'emits ').filter(() => !isIn('\\.emit\\(', step)),
          ...named(step.says, 'emits ').filter((event) => !heardLater(event)),
          ...named(step.says, 'hears ').filter((event) => !isIn(`onEvent\\(\\s*\\w+\\.${event}\\b`, step)),
        ].map((name) => `${index + 1}: ${name}`);
      });
      expect(problems).toEqual([]);
    },
  );
});

describe('documents', () => {
  it('are found', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/architecture.md']));
  });

  it('the architecture names every package that services share', () => {
    const text = read('docs/architecture.md');
    const packages = globSync(['packages/*/package.json', 'packages/web/*/package.json'], {
      cwd: workspaceRoot,
    });
    expect(packages.map(path.dirname).filter((folder) => !text.includes(`](../${folder})`))).toEqual([]);
  });

  it('each API decision begins with its rule, in lines that fit a screen', () => {
    const lines = read('docs/api-decisions.md').split('\n');
    expect(lines.filter((line) => line.length > 160 || /^- (?!\*\*)/.test(line))).toEqual([]);
  });

  it.each(documents)('%s links only to files and headings that exist', (file) => {
    const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const own = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(own.filter((link) => !leadsSomewhere(file, link))).toEqual([]);
  });
});
