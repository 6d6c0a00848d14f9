import { existsSync } from 'node:fs';
import { inRoot } from './places.mjs';

/** Carried by a package whose hash stands in the lockfile; it has no install script. */
const carried = inRoot(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
const MAJOR = 24;

/** The binary is linked against the C library of GNU; a system of another one brings its own Node. */
const runsHere = () =>
  process.platform !== 'linux' || Boolean(process.report.getReport().header.glibcVersionRuntime);

/** Node 24: the one that is carried, else the one that runs this. Undefined where neither will do. */
export const findNode24 = () => {
  if (existsSync(carried) && runsHere()) return carried;
  return Number(process.versions.node.split('.')[0]) >= MAJOR ? process.execPath : undefined;
};

const isCarriedHere = () =>
  runsHere() && ['linux-x64', 'linux-arm64'].includes(`${process.platform}-${process.arch}`);

export const node24 = () => {
  const found = findNode24();
  if (found) return found;
  if (isCarriedHere())
    throw new Error(`Node ${MAJOR} did not arrive at ${carried}: delete node_modules and try again.`);
  const { platform, arch, version } = process;
  throw new Error(
    `No Node ${MAJOR} comes with this project for ${platform} ${arch}${runsHere() ? '' : ' with this C library'}: install Node ${MAJOR} or newer (this one is ${version}).`,
  );
};
