import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { node24 } from './node.mjs';
import { inRoot, inTools, readStamps, stamp } from './places.mjs';
import { run, step } from './run.mjs';

/** The packages of customers but the module for Python. */
const clients = ['sdk', 'cli', 'langchain', 'n8n'];
/** What the dashboard and these are built of. */
const pageSources = [
  'packages/web/dashboard/src',
  ...clients.map((name) => `packages/clients/${name}/src`),
  'packages/errors/src',
  'packages/contracts/src/webhook-dispatcher',
  'packages/clients/python',
  'infra/deploy/clients/src',
];
const pageFiles = [
  'pnpm-lock.yaml',
  'packages/web/site/src/page-words.ts',
  ...clients.flatMap((name) =>
    ['package.json', 'tsconfig.json', 'README.md'].map((file) => `packages/clients/${name}/${file}`),
  ),
];

const filesBelow = (folder) =>
  readdirSync(inRoot(folder), { recursive: true })
    .filter((name) => /\.(?:tsx?|css|py|svg|json)$/.test(name) && !name.includes('.test.'))
    .map((name) => inRoot(folder, name))
    .sort();

const hashOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${path.relative(inRoot(), file)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
};

/** Builds what browsers load, and what customers install, into a folder that is named by the hash of its sources. Others may build theirs at once. */
export const ensurePages = async (options) => {
  const hash = hashOf([...pageSources.flatMap(filesBelow), ...pageFiles.map((file) => inRoot(file))]);
  const built = inTools('pages', hash, 'dashboard/assets.json');
  if (readStamps().pages === hash && existsSync(built)) return;
  const building = inTools('pages', `building-${process.pid}`);
  mkdirSync(building, { recursive: true });
  const write = (program, ...words) => run(node24(), [inRoot(program), ...words], options);
  await step('dashboard, and packages to download', () =>
    Promise.all([
      write('packages/web/dashboard/src/build.ts', path.join(building, 'dashboard')),
      write('infra/deploy/clients/src/main.ts', '--into', path.join(building, 'downloads')),
    ]),
  );
  const isHourOld = (name) => statSync(inTools('pages', name)).mtimeMs < Date.now() - 3_600_000;
  const isOver = (name) => (name === hash ? !existsSync(built) : isHourOld(name));
  for (const name of readdirSync(inTools('pages')).filter(isOver)) {
    // It says that a folder is whole, so it goes first.
    rmSync(inTools('pages', name, 'dashboard/assets.json'), { force: true });
    rmSync(inTools('pages', name), { recursive: true, force: true });
  }
  if (!existsSync(built)) renameSync(building, inTools('pages', hash));
  stamp('pages', hash);
};
