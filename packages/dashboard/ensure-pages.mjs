import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { node24 } from '../../infra/local/bootstrap/node.mjs';
import { inRoot, inTools, readStamps, stamp } from '../../infra/local/bootstrap/places.mjs';
import { run, step } from '../../infra/local/bootstrap/run.mjs';

/** The dashboard is built of its own sources, the types and downloads of the SDK, and the remedies of errors. */
const pageSources = ['packages/dashboard/src', 'packages/sdk/src', 'packages/contracts/src/errors'];

const filesBelow = (folder) =>
  readdirSync(inRoot(folder), { recursive: true })
    .filter((name) => /\.(?:tsx?|css)$/.test(name) && !name.includes('.test.'))
    .map((name) => inRoot(folder, name))
    .sort();

const hashOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${path.relative(inRoot(), file)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
};

/** Builds what browsers load into a folder that is named by the hash of its sources. */
export const ensurePages = async (options) => {
  const files = [...pageSources.flatMap(filesBelow), inRoot('pnpm-lock.yaml')];
  const hash = hashOf(files);
  if (readStamps().pages === hash && existsSync(inTools('pages', hash, 'assets.json'))) return;
  const building = inTools('pages', `building-${process.pid}`);
  mkdirSync(building, { recursive: true });
  await step('dashboard', () =>
    run(node24(), [inRoot('packages/dashboard/src/build.ts'), building], options),
  );
  rmSync(inTools('pages', hash), { recursive: true, force: true });
  renameSync(building, inTools('pages', hash));
  for (const name of readdirSync(inTools('pages')))
    if (name !== hash) rmSync(inTools('pages', name), { recursive: true, force: true });
  stamp('pages', hash);
};
