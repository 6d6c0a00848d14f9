import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runbookOf } from './alert.ts';
import { alerts } from './alerts.ts';
import { folder } from './read-data.ts';

const root = path.join(folder, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const wanted = [...new Set(alerts.map(runbookOf))].toSorted();
const lines: Record<string, string> = JSON.parse(read('package.json')).scripts;
const scripts = Object.keys(lines).filter((name) => !lines[name]?.startsWith('./tds renamed'));
/** Of services, as their pages name them. */
const tables = [...read('docs/generated/tables.md').matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, name]) => name);
/** Of npm itself, and what takes any script. */
const npmOwn = ['start', 'test'];

describe('runbooks', () => {
  it('there is one for each alert, and none for anything else', () => {
    const there = readdirSync(path.join(root, 'docs/runbooks')).filter((name) => name.endsWith('.md'));
    const files = there.filter((name) => name !== 'README.md').map((name) => `docs/runbooks/${name}`);
    expect(files.toSorted()).toEqual(wanted);
  });

  it('the index names each of them', () => {
    const index = read('docs/generated/alerts.md');
    for (const file of wanted) expect(index).toContain(`(../runbooks/${path.basename(file)})`);
  });

  it.each(wanted)(
    '%s says symptom, check and repair, and names only commands and tables that exist',
    (file) => {
      const text = read(file);
      expect([...text.matchAll(/^## (.+)$/gm)].map((match) => match[1])).toEqual([
        'Symptom',
        'Check',
        'Repair',
      ]);
      const asked = [...text.matchAll(/npm (?:run (?:-s )?)?([a-z][a-z0-9:-]*)/g)].map((match) =>
        String(match[1]),
      );
      for (const name of asked) expect([...scripts, ...npmOwn]).toContain(name);
      for (const [, name] of text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE) (?!pg_)([a-z_.]+)/g))
        expect(tables).toContain(name);
    },
  );
});
