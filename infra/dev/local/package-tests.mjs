// Runs the tests of the package that it is started in, or of the whole tree in the root:
//   node infra/dev/local/package-tests.mjs [what Jest understands]
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { environment } from './bootstrap/environment.mjs';
import { node24 } from './bootstrap/node.mjs';
import { inRoot } from './bootstrap/places.mjs';

const jest = [inRoot('node_modules/jest/bin/jest.js'), '--config', inRoot('jest.config.ts')];
const asked = process.argv.slice(2);
// A package that has no tests yet has passed them.
const args = [...jest, ...(asked.length === 0 ? ['--passWithNoTests'] : asked)];
// Where a worker leaves word that it died of an error between two test files.
const mark = path.join(tmpdir(), `tds-tests-${process.pid}`);
// Tests take large blocks of memory again and again: one that is given back costs its thousands of pages anew.
const memory = { MALLOC_MMAP_THRESHOLD_: '1073741824', MALLOC_TRIM_THRESHOLD_: '268435456' };
const env = { ...environment(), ...memory, TDS_TEST_MARK: mark };
const child = spawn(node24(), args, { env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

child.once('exit', async (code, signal) => {
  const hasDied = existsSync(mark);
  rmSync(mark, { force: true });
  // Only a run of Node 24 writes failures down; a package's own script may be run by an older one.
  if (process.env.TDS_TEST_FAILURES) {
    const { noteEnd } = await import('../../test/jest/src/failed-files.ts');
    noteEnd({ folder: path.relative(inRoot(), process.cwd()), run: mark, code, hasDied });
  }
  if (signal) process.exit(128 + constants.signals[signal]);
  process.exit(hasDied ? 1 : code);
});
