import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The root of the workspace. */
export const workspaceRoot = path.resolve(import.meta.dirname, '../../..');

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
  /^CREATE OR REPLACE (?<kind>FUNCTION|PROCEDURE|AGGREGATE) (?:(?<schema>[a-z0-9_]+)\.)?(?<name>[a-z0-9_]+)\s*\(/m;
/** Between two statements; the comment above a statement is part of it. */
const BETWEEN = /(?<=[^\n]\n)\n+(?=(?:--.*\n)*CREATE )/;

const parse = (file: string, statement: string): FunctionFile => {
  const sql = `${statement.trimEnd()}\n`;
  const { kind, schema = 'public', name } = HEAD.exec(sql)?.groups ?? {};
  if (!name || sql.split(/^CREATE /m).length !== 2)
    throw new Error(`${file} must hold CREATE OR REPLACE FUNCTION statements, with an empty line before each`);
  const sha256 = createHash('sha256').update(sql).digest('hex');
  return { name: `${schema}.${name}`, file, sql, sha256, isAggregate: kind === 'AGGREGATE' };
};

const readFolder = (dir: string): FunctionFile[] =>
  (existsSync(dir) ? readdirSync(dir).sort() : [])
    .filter((fileName) => fileName.endsWith('.sql'))
    .flatMap((fileName) => {
      const file = path.relative(workspaceRoot, path.join(dir, fileName));
      const text = readFileSync(path.join(dir, fileName), 'utf8');
      return text.split(BETWEEN).map((statement) => parse(file, statement));
    });

/** The SQL functions in the folders. Throws if a file holds anything else, or if two statements create the same function. */
export const readFunctions = (prismaDirs: readonly string[]): FunctionFile[] => {
  const all = prismaDirs.flatMap((dir) => readFolder(path.join(dir, 'functions')));
  const byName = new Map<string, FunctionFile>();
  for (const candidate of all) {
    const other = byName.get(candidate.name);
    if (other) throw new Error(`${candidate.file} and ${other.file} both make ${candidate.name}`);
    byName.set(candidate.name, candidate);
  }
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
};
