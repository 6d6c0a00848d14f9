// Runs the tests of the package that it is started in, or of the whole tree in the root:
//   node infra/local/package-tests.mjs [what Vitest understands]
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { environment } from './bootstrap/environment.mjs';
import { node24 } from './bootstrap/node.mjs';
import { inRoot } from './bootstrap/places.mjs';

const vitest = inRoot('node_modules/vitest/vitest.mjs');
const config = ['--config', inRoot('vitest.config.ts'), '--configLoader', 'native'];
const asked = process.argv.slice(2);
// A package that has no tests yet has passed them.
const args = [vitest, 'run', ...config, ...(asked.length === 0 ? ['--passWithNoTests'] : asked)];
const child = spawn(node24(), args, { env: environment(), stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
