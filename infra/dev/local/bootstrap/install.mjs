import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findNode24, node24 } from './node.mjs';
import { ensurePages } from './pages.mjs';
import { inRoot, inTools, readJson, readStamps, stamp, unstamp } from './places.mjs';
import { inOneSentence, quietNpm, whyNotReachable } from './registry.mjs';
import { run, step } from './run.mjs';

const hashOf = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex');

/** The version of pnpm and the hash of its package, from `pnpm@1.2.3+sha512.<hex>` as corepack writes it. */
const wantedPnpm = () => {
  const { packageManager } = readJson(inRoot('package.json'));
  const [, version, hex] = /^pnpm@([\d.]+)\+sha512\.([0-9a-f]{128})$/.exec(packageManager) ?? [];
  if (!version) throw new Error(`package.json names no pnpm with its hash: ${packageManager}`);
  return { version, integrity: `sha512-${Buffer.from(hex, 'hex').toString('base64')}` };
};

const pnpmDir = inTools('pnpm');
const pnpm = inTools('pnpm/node_modules/pnpm/bin/pnpm.cjs');

/** npm compares what it gets with the hash in a lockfile, which is written for it. Resolves to whether it has just been fetched. */
const ensurePnpm = async (options) => {
  const { version, integrity } = wantedPnpm();
  if (readStamps().pnpm === integrity && existsSync(pnpm)) return false;
  const dependencies = { pnpm: version };
  const bin = { pnpm: 'bin/pnpm.cjs' };
  const packages = { '': { dependencies }, 'node_modules/pnpm': { version, integrity, bin } };
  unstamp('pnpm');
  rmSync(pnpmDir, { recursive: true, force: true });
  mkdirSync(pnpmDir, { recursive: true });
  writeFileSync(inTools('pnpm/package.json'), JSON.stringify({ dependencies }));
  writeFileSync(inTools('pnpm/package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  const flags = ['--prefix', pnpmDir, '--ignore-scripts', ...quietNpm];
  await step(`pnpm ${version}`, () => run('npm', ['ci', ...flags], options));
  rmSync(inTools('npm-cache'), { recursive: true, force: true });
  stamp('pnpm', integrity);
  return true;
};

/**
 * Everything that pnpm keeps, it keeps in the clone. The few packages that may run a script run it whatever the person's
 * settings say, and each time: what pnpm remembers of a script lacks the links that Postgres' makes.
 */
const pnpmFlags = [
  '--reporter=append-only',
  '--config.confirmModulesPurge=false',
  '--config.ignoreScripts=false',
  '--config.sideEffectsCache=false',
  `--config.storeDir=${inTools('pnpm-store')}`,
  `--config.cacheDir=${inTools('pnpm-cache')}`,
  `--config.stateDir=${inTools('pnpm-state')}`,
  '--config.fetchRetryMintimeout=1000',
];

/** These run the system or look after it; all other commands test, check and write the tree. */
const runsTheSystem =
  /^(?:start|create-key|compose-secrets|k8s-secrets|infra\/(?:deploy\/docker|measure\/(?:audit|platform-probe))\/.+)$/;

/** What they load, and what the dashboard and the packages to download are built of. */
const ofTheSystem = 'local simulators audit platform-probe dashboard'
  .split(' ')
  .map((name) => `@tds/${name}...`)
  .concat('{packages/clients/*}...', '{services/*}...')
  .flatMap((packages) => ['--filter-prod', packages]);

/** One folder holds what both stand for. */
const DEPENDENCIES = ['dependencies', 'systemDependencies'];

/** What tests need comes with the first command that is not for the system alone, and stays. */
const ensureDependencies = async (command, options) => {
  const wanted = hashOf(readFileSync(inRoot('pnpm-lock.yaml')), readFileSync(inRoot('pnpm-workspace.yaml')));
  const stamps = readStamps();
  const isForAll = stamps.dependencies !== undefined || !runsTheSystem.test(command);
  const name = isForAll ? 'dependencies' : 'systemDependencies';
  const installed = existsSync(inRoot('node_modules/.modules.yaml')) && findNode24() !== undefined;
  if (installed && stamps[name] === wanted) return;
  const isReachable = await ensurePnpm(options);
  unstamp(...DEPENDENCIES);
  await step(isForAll ? 'dependencies of tests and checks, too' : 'dependencies', async () => {
    const offline = isReachable ? undefined : await whyNotReachable(options);
    const scope = isForAll ? [] : ['--prod', ...ofTheSystem];
    const flags = [...pnpmFlags, ...scope, '--frozen-lockfile', ...(offline ? ['--offline'] : [])];
    await run(process.execPath, [pnpm, 'install', ...flags], options).catch((error) => {
      throw offline ?? error;
    });
  });
  node24();
  stamp(name, wanted);
};

/** After a package was added to the workspace: installs it, and writes it down in the lockfile. */
export const installNewPackage = async (options) => {
  await ensurePnpm(options);
  unstamp(...DEPENDENCIES);
  await run(
    process.execPath,
    [pnpm, 'install', ...pnpmFlags, '--no-frozen-lockfile', '--prefer-offline'],
    options,
  );
};

const servers = 'infra/dev/servers';

const ensurePrismaClients = async (options) => {
  const { version } = readJson(inRoot(servers, 'node_modules/@prisma/client-generator-ts/package.json'));
  const schemaOf = (name) => inRoot('services', name, 'prisma/schema.prisma');
  const names = readdirSync(inRoot('services')).filter((name) => existsSync(schemaOf(name)));
  const hash = hashOf(version, ...names.map((name) => readFileSync(schemaOf(name))));
  const areThere = names.every((name) => existsSync(inRoot('services', name, 'src/store/prisma/client.ts')));
  if (areThere && readStamps().prisma === hash) return;
  unstamp('prisma');
  const generate = [inRoot(servers, 'src/generate-clients.ts'), ...names];
  await step('database clients', () => run(node24(), generate, options));
  stamp('prisma', hash);
};

/** Whatever a command needs before it runs. Rejects with one sentence where the network fails. */
export const ensureInstalled = async (command, signal) => {
  try {
    await ensureDependencies(command, { signal });
    await ensurePrismaClients({ signal });
    await ensurePages({ signal });
  } catch (error) {
    throw await inOneSentence(error);
  }
};
