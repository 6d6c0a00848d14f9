// The way from a fresh clone to a running command: plain JavaScript for any Node >= 20, without a dependency.
//   node infra/local/bootstrap.mjs <command> [arguments]     runs infra/local/src/<command>.ts
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const inRoot = (...parts) => path.join(root, ...parts);
const toolchain = inRoot('.local/toolchain');
const stampsFile = inRoot('.local/stamps.json');
const node24 = inRoot('node_modules/node/bin/node');

/** The user's database settings would reach every client; telemetry is nobody's business. */
const environment = () => {
  const kept = Object.entries(process.env).filter(([name]) => !/^PG[A-Z]+$/.test(name));
  const PATH = [path.dirname(existsSync(node24) ? node24 : process.execPath), process.env.PATH].join(
    path.delimiter,
  );
  const quiet = { DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1', CHECKPOINT_DISABLE: '1' };
  // With its types stripped and compiled, a source is not compiled again: every process starts sooner and smaller.
  const cache = { NODE_COMPILE_CACHE: inRoot('.local/compile-cache') };
  // Two heaps of the C library for all threads of a process, not up to eight per core, and what is freed at their ends goes back.
  const memory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
  return {
    ...memory,
    ...Object.fromEntries(kept),
    ...quiet,
    ...cache,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    PATH,
  };
};

const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
const hashOf = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex');

const stamp = (name, value) => {
  mkdirSync(inRoot('.local'), { recursive: true });
  writeFileSync(stampsFile, `${JSON.stringify({ ...readJson(stampsFile), [name]: value }, null, 2)}\n`);
};

const run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const stdio = ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd: root, env: { ...environment(), ...options.env }, stdio });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} failed (${code}):\n${output}`)),
    );
  });

/** Says what is being done, and how long it took. */
const step = async (title, work) => {
  const start = performance.now();
  if (process.stderr.isTTY) process.stderr.write(`  … ${title}`);
  await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}  ✓ ${title} (${seconds} s)\n`);
};

const ensurePnpm = async () => {
  const [, version] = readJson(inRoot('package.json')).packageManager.split('@');
  if (readJson(path.join(toolchain, 'node_modules/pnpm/package.json')).version === version) return;
  const flags = ['--prefix', toolchain, '--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
  mkdirSync(toolchain, { recursive: true });
  await step(`pnpm ${version}`, () => run('npm', ['install', ...flags, `pnpm@${version}`]));
};

const ensureDependencies = async () => {
  const wanted = hashOf(readFileSync(inRoot('pnpm-lock.yaml')), readFileSync(inRoot('pnpm-workspace.yaml')));
  const installed = existsSync(inRoot('node_modules/.modules.yaml')) && existsSync(node24);
  if (installed && readJson(stampsFile).dependencies === wanted) return;
  await ensurePnpm();
  const pnpm = path.join(toolchain, 'node_modules/pnpm/bin/pnpm.cjs');
  const flags = ['--frozen-lockfile', '--config.confirmModulesPurge=false', '--reporter=append-only'];
  await step('dependencies', () => run(process.execPath, [pnpm, 'install', ...flags]));
  if (!existsSync(node24))
    throw new Error(`Node 24 was not installed to ${node24}: is its install script allowed?`);
  stamp('dependencies', wanted);
};

/** Any existing file in place of the native schema engine, which `generate` does not use but would download. */
const generateClient = (service) =>
  run(
    node24,
    [inRoot('infra/servers/node_modules/prisma/build/index.js'), 'generate', '--schema', service.schema],
    {
      env: { PRISMA_SCHEMA_ENGINE_BINARY: node24 },
    },
  );

const ensurePrismaClients = async () => {
  const { version } = readJson(inRoot('infra/servers/node_modules/prisma/package.json'));
  const stamps = readJson(stampsFile);
  const stale = readdirSync(inRoot('services'))
    .map((name) => ({ name, schema: inRoot('services', name, 'prisma/schema.prisma') }))
    .filter(({ schema }) => existsSync(schema))
    .map((service) => ({ ...service, hash: hashOf(version, readFileSync(service.schema)) }))
    .filter(({ name, hash }) => {
      const generated = inRoot('services', name, 'src/store/prisma/client.ts');
      return stamps[`prisma/${name}`] !== hash || !existsSync(generated);
    });
  if (stale.length === 0) return;
  const names = stale.map(({ name }) => name).join(', ');
  await step(`database clients of ${names}`, () => Promise.all(stale.map(generateClient)));
  for (const { name, hash } of stale) stamp(`prisma/${name}`, hash);
};

/** Runs the command in this process's place. It can tell that this process has died by its channel being cut. */
const runCommand = (entry, args) => {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(node24, [entry, ...args], { cwd: root, env: environment(), stdio });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends its Ctrl-C to the child as well.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // npm passes no signal on when it is killed itself: nobody waits for this any more.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  child.once('error', fail);
  child.once('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
};

const fail = (error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
};

const [command = '', ...args] = process.argv.slice(2);
const entry = inRoot('infra/local/src', `${command}.ts`);
if (!/^[a-z-]+$/.test(command) || !existsSync(entry)) fail(new Error(`There is no command "${command}"`));
try {
  await ensureDependencies();
  await ensurePrismaClients();
  runCommand(entry, args);
} catch (error) {
  fail(error);
}
