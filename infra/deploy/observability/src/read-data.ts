import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** The folder of the configuration. */
export const folder = path.join(import.meta.dirname, '..');

/** Reads a data file of the folder. Its tests play every alert, and ask a running system for every panel. */
export const readData = <Data>(name: string): Data =>
  parse(readFileSync(path.join(folder, name), 'utf8')) as Data;
