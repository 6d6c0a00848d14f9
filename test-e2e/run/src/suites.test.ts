import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';
import { suites } from './suites.ts';

describe.each([true, false])('the suite of an installation, in containers: %s', (inContainers) => {
  const { run, leftOut } = suites({ inContainers });

  it('leaves out only files that are there, by their names of today', () => {
    const names = Object.keys(leftOut);
    expect(names.filter((name) => !existsSync(path.join(workspaceRoot, 'test-e2e', name)))).toEqual([]);
    expect(run.filter((name) => names.includes(name))).toEqual([]);
  });

  it('tells stories before promises, which leave books behind', () => {
    const places = run.map((name) => name.split('/')[0]);
    expect([...new Set(places)]).toEqual(['stories', 'promises', 'security']);
    expect(places.lastIndexOf('stories')).toBeLessThan(places.indexOf('promises'));
  });
});
