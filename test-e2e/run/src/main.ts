import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localDir, workspaceRoot } from '@tds/servers';
import { command } from '@tds/servers/command';
import { installationSetting } from '#support';
import { startOnCompose } from './compose.ts';
import { startLocally } from './local.ts';
import { suites } from './suites.ts';

const asked = command(
  'npm run test:e2e --',
  'Runs the whole-system tests against a system that was installed, rather than one of their own in the process of the tests.',
)
  .option('--compose', 'by docker-compose.yml, of images that `docker-compose build` has made', false)
  .option('--rendered', 'the same, with the services as the manifests of infra/deploy/k8s say', false)
  .option('--local', 'by npm start -- --processes', false)
  .option('--keep', 'leaves it running afterwards', false)
  .argument('[patterns...]', 'names of test files: stories/keys')
  .parse();
const { compose, rendered, local, keep } = asked.opts();
if ([compose, rendered, local].filter(Boolean).length !== 1)
  asked.error('error: one of --compose, --rendered and --local');
const inContainers = compose || rendered;
const [patterns] = asked.processedArgs;

const dir = path.join(localDir, inContainers ? 'e2e-compose' : 'e2e-local');
mkdirSync(dir, { recursive: true, mode: 0o700 });
const { run, leftOut } = suites({ inContainers });
const files = run.filter((file) => patterns.length === 0 || patterns.some((one) => file.includes(one)));
for (const [file, why] of Object.entries(leftOut)) console.log(`left out: ${file} (${why})`);

const startedAt = performance.now();
const installed = await (inContainers ? startOnCompose({ dir, rendered }) : startLocally({ dir }));
console.log(`started in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
const file = path.join(dir, 'installation.json');
writeFileSync(file, JSON.stringify(installed.installation), { mode: 0o600 });

/** One file after the other, in this order: they share what is around the system, and the system. */
const env = { ...process.env, ...installationSetting(file), TDS_TEST_WORKERS: '1' };
const script = path.join(workspaceRoot, 'infra/dev/local/package-tests.mjs');
const passes = async (one: string): Promise<boolean> => {
  const words = [script, path.join(workspaceRoot, 'test-e2e', one)];
  const tests = spawn(process.execPath, words, { env, stdio: 'inherit', cwd: workspaceRoot });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code === 0;
};
const failed: string[] = [];
for (const one of files) if (!(await passes(one))) failed.push(one);
console.log(`${files.length - failed.length} of ${files.length} files passed`);
for (const one of failed) console.log(`failed: ${one}`);
if (!keep) await installed.stop();
process.exitCode = failed.length > 0 ? 1 : 0;
