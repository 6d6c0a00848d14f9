import { describe, expect, it } from '@jest/globals';
import { planTests, type WorkspacePackage, workspacePackages } from './test-plan.ts';

const folders = ['packages/contracts', 'services/gateway', 'services/identity'];
const packages = folders.map((folder): WorkspacePackage => ({ folder, manifest: {} }));
const foldersOf = (...args: string[]) => planTests(args, packages);

describe('npm test', () => {
  it('means every package', () => {
    expect(foldersOf()).toEqual({ kind: 'all', folders, force: false });
    expect(foldersOf('--force')).toEqual({ kind: 'all', folders, force: true });
  });

  it('takes folders of packages, and folders of those', () => {
    expect(foldersOf('./services/')).toMatchObject({ folders: ['services/gateway', 'services/identity'] });
    expect(foldersOf('services/gateway', 'packages/contracts', '--force')).toEqual({
      kind: 'packages',
      folders: ['services/gateway', 'packages/contracts'],
      force: true,
    });
  });

  it.each([['services/gateway/src/routes'], ['services/gate'], ['test-e2e/chaos'], ['-t', 'a title']])(
    'leaves everything else to Jest (%s)',
    (...args) => {
      expect(foldersOf(...args)).toEqual({ kind: 'jest', args });
    },
  );
});

describe('a package of the workspace', () => {
  it.each(workspacePackages().map(({ folder, manifest }) => [folder, manifest.scripts] as const))(
    'is checked and tested by scripts of its own, also while it has no tests yet: %s',
    (folder, scripts) => {
      const up = folder.replaceAll(/[^/]+/g, '..');
      const tests = `node ${up}/infra/dev/local/package-tests.mjs`;
      const bothRuns = {
        test: `${tests} --selectProjects unit integration`,
        'test:own': `${tests} --selectProjects own`,
      };
      expect(scripts).toEqual({
        ...(folder === 'test-e2e' ? bothRuns : { test: tests }),
        'check:types': 'tsc -p tsconfig.json',
      });
    },
  );
});
