import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { comparisons, describeOldComparisons } from './comparisons.ts';
import { workspaceRoot } from './paths.ts';
import { releases } from './releases.ts';

const readRoot = (file: string): string => readFileSync(path.join(workspaceRoot, file), 'utf8');
const compared = comparisons.flatMap((comparison) => comparison.releases);

describe('the releases that were compared with their advisories', () => {
  it('are those that run: a new version of what reads the bytes of strangers is compared, too', () => {
    const lockfile = readRoot('pnpm-lock.yaml');
    const servers = Object.entries(releases).map((release) => release.join('@'));
    const missing = compared.filter(
      (release) => !servers.includes(release) && !new RegExp(`^  '?${release}'?:$`, 'm').test(lockfile),
    );
    expect(missing).toEqual([]);
  });

  it('name one Node, which compose, the image and the clone have', () => {
    const { optionalDependencies } = JSON.parse(readRoot('package.json'));
    expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([releases.node]));
    for (const file of ['docker-compose.yml', 'infra/deploy/docker/Dockerfile'])
      expect(new Set(readRoot(file).match(/node:\d[\w.-]+/g))).toEqual(
        new Set([`node:${releases.node}-bookworm-slim`]),
      );
  });

  it('say so when they are older than thirty days, with the source to look at again', () => {
    const [first] = comparisons;
    const daysLater = (days: number) => new Date(Date.parse(first?.on ?? '') + days * 86_400_000);
    expect(describeOldComparisons(daysLater(1))).toEqual([]);
    expect(describeOldComparisons(daysLater(31))[0]).toMatch(/^Last compared 31 days ago .*changelog.*: node@/);
    expect(describeOldComparisons(daysLater(60))).toHaveLength(comparisons.length);
  });
});
