import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './paths.ts';

export interface FunctionFile {
  /** With its schema: `messaging.emit`. */
  readonly name: string;
  /** As people know it, from the root of the tree. */
  readonly file: string;
  readonly sql: string;
  readonly sha256: string;
  readonly isAggregate: boolean;
}

const HEAD =
  /^(?:--.*\n|\n)*CREATE OR REPLACE (?<kind>FUNCTION|PROCEDURE|AGGREGATE) (?:(?<schema>[a-z0-9_]+)\.)?(?<name>[a-z0-9_]+)\s*\(/;

const parse = (dir: string, fileName: string): FunctionFile => {
  const sql = readFileSync(path.join(dir, fileName), 'utf8');
  const file = path.relative(workspaceRoot, path.join(dir, fileName));
  const { kind, schema = 'public', name = '' } = HEAD.exec(sql)?.groups ?? {};
  const expected = path.basename(fileName, '.sql');
  if (name !== expected || sql.split(/^CREATE /m).length !== 2) {
    throw new Error(`${file} has to be one statement, CREATE OR REPLACE FUNCTION ${expected}(...)`);
  }
  const sha256 = createHash('sha256').update(sql).digest('hex');
  return { name: `${schema}.${name}`, file, sql, sha256, isAggregate: kind === 'AGGREGATE' };
};

const readFolder = (dir: string): FunctionFile[] =>
  (existsSync(dir) ? readdirSync(dir).sort() : [])
    .filter((fileName) => fileName.endsWith('.sql'))
    .map((fileName) => parse(dir, fileName));

/** The functions of the folders. Throws if a file is not one function that is named as the file, or if two make the same. */
export const readFunctions = (prismaDirs: readonly string[]): FunctionFile[] => {
  const all = prismaDirs.flatMap((dir) => readFolder(path.join(dir, 'functions')));
  const byName = new Map<string, FunctionFile>();
  for (const found of all) {
    const other = byName.get(found.name);
    if (other) throw new Error(`${found.file} and ${other.file} both make ${found.name}`);
    byName.set(found.name, found);
  }
  return all;
};
