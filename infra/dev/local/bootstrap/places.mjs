import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
export const inRoot = (...parts) => path.join(root, ...parts);
/** Programs and caches, which every command shares; the data of `npm start` stand beside them in .local/data. */
export const inTools = (...parts) => inRoot('.local/tools', ...parts);

export const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** A folder that no other user may list or enter; root's may be passed by the user that it runs Postgres as. */
const keepPrivate = (dir) => {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, process.getuid?.() === 0 ? 0o711 : 0o700);
};

export const preparePlaces = () => {
  keepPrivate(inRoot('.local'));
  mkdirSync(inTools(), { recursive: true });
};

const stampsFile = inTools('stamps.json');
/** What was made from what, to be made again when that has changed. A file that cannot be read stands for nothing. */
export const readStamps = () => {
  try {
    return readJson(stampsFile);
  } catch {
    return {};
  }
};

const writeStamps = (stamps) => {
  const written = `${stampsFile}.${process.pid}`;
  writeFileSync(written, `${JSON.stringify(stamps, null, 2)}\n`);
  renameSync(written, stampsFile);
};

export const stamp = (name, value) => writeStamps({ ...readStamps(), [name]: value });

/** Before what they stand for changes: a command that is stopped half-way leaves nothing that looks whole. */
export const unstamp = (...names) =>
  writeStamps(Object.fromEntries(Object.entries(readStamps()).filter(([name]) => !names.includes(name))));
