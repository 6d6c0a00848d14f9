import { chownSync, copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runHere } from './host.ts';
import type { Person } from './rooms.ts';

/** The oldest that the README promises to be enough. */
const OLDEST_NODE = '20';
const NPM_OF_THAT_NODE = '10';

export type MachineOptions = { readonly suite: string; readonly mirror?: string | undefined };

/** Node and npm as their makers build them, from the registry: no Debian has had that Node for long. */
const installNode = (root: string): void => {
  const home = path.join(root, 'opt/node');
  mkdirSync(home, { recursive: true });
  const packages = [`node-linux-${process.arch}@${OLDEST_NODE}`, `npm@${NPM_OF_THAT_NODE}`];
  runHere('npm', ['install', '--prefix', home, '--no-audit', '--no-fund', '--ignore-scripts', ...packages]);
  const modules = '/opt/node/node_modules';
  symlinkSync(`${modules}/node-linux-${process.arch}/bin/node`, path.join(root, 'usr/local/bin/node'));
  for (const name of ['npm', 'npx'])
    symlinkSync(`${modules}/npm/bin/${name}-cli.js`, path.join(root, 'usr/local/bin', name));
};

/** How this machine reaches the network, that one does too. */
const shareNetwork = (root: string): void => {
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'])
    if (existsSync(file)) copyFileSync(file, path.join(root, file));
};

/** Fills the folder with a Debian of the essential packages, git, certificates and Node. */
export const makeMachine = (root: string, { suite, mirror }: MachineOptions): void => {
  const packages = '--include=git,ca-certificates';
  runHere('debootstrap', ['--variant=minbase', packages, suite, root, ...(mirror ? [mirror] : [])]);
  installNode(root);
  shareNetwork(root);
};

/** A fresh clone of the last commit in the person's home. Returns its path as seen from inside. */
export const cloneInto = (root: string, { name, home, id }: Person, repository: string): string => {
  const inside = path.join(home, 'transcript-delivery-service');
  mkdirSync(path.join(root, home), { recursive: true });
  if (id !== 0)
    writeFileSync(path.join(root, 'etc/passwd'), `${name}:x:${id}:${id}::${home}:/bin/sh\n`, { flag: 'a' });
  chownSync(path.join(root, home), id, id);
  runHere('git', ['clone', '--quiet', '--no-hardlinks', repository, path.join(root, inside)]);
  runHere('chown', ['-R', `${id}:${id}`, path.join(root, inside)]);
  return inside;
};
