import { createHash } from 'node:crypto';
import pg from 'pg';
import { type CatalogFunction, readFunctionCatalog } from './function-catalog.ts';
import type { FunctionFile } from './function-list.ts';
import { type LockOptions, nameErrors, type PostgresError, untilUnlocked } from './run-script.ts';

export interface AppliedFunctions {
  /** The files, by the names of their functions. */
  readonly functions: readonly string[];
  /** The signatures that no file has made since another release. */
  readonly dropped: readonly string[];
}

/** Postgres refuses to replace one whose result, or whose arguments' names, are others now. */
const CANNOT_REPLACE = '42P13';
const STILL_USED = '2BP01';

/** The comment of a function says what it was made of: it cannot part from the function, in a copy of the database either. */
const commentOf = ({ name, sha256 }: FunctionFile): string => `sha256 ${sha256} of ${name}`;

const UNUSED = 'unused since the files ';

/**
 * The comment of a function that these files make no more. The release before calls it until its last process has ended, so it is dropped by
 * the next files that differ: those of a later release. However often one release migrates, it stays.
 */
const unusedComment = (files: readonly FunctionFile[]): string => {
  const texts = files.map(({ sha256 }) => sha256).sort();
  return UNUSED + createHash('sha256').update(texts.join()).digest('hex');
};

/** A function that was replaced by hand or by a migration keeps its comment, so its body counts, too. */
const isUpToDate = (file: FunctionFile, catalog: readonly CatalogFunction[]): boolean => {
  const [match, ...duplicates] = catalog.filter(({ name }) => name === file.name);
  return match?.comment === commentOf(file) && file.sql.includes(match.body) && duplicates.length === 0;
};

const drop = async (client: pg.Client, unwanted: readonly CatalogFunction[]): Promise<void> => {
  if (unwanted.length === 0) return;
  const signatures = unwanted.map(({ signature }) => signature).join(', ');
  try {
    await client.query(`DROP ROUTINE ${signatures}`);
  } catch (error) {
    const { code, detail } = error as PostgresError;
    if (code !== STILL_USED) throw error;
    const next = 'End that with a migration first, or keep the file and give the new function a new name';
    throw new Error(`No file makes ${signatures} any more, but it is used: ${detail}. ${next}.`, {
      cause: error,
    });
  }
};

/** Replaced in place if that is possible, so that what depends on it (a trigger, a default) and its privileges stay. */
const replaceFunction = async (client: pg.Client, file: FunctionFile, previous: readonly CatalogFunction[]) => {
  await client.query('SAVEPOINT replacing');
  try {
    await client.query(file.sql);
  } catch (error) {
    if ((error as PostgresError).code !== CANNOT_REPLACE) throw error;
    await client.query('ROLLBACK TO SAVEPOINT replacing');
    await drop(client, previous);
    await client.query(file.sql);
  }
};

/** All of them, since one that has changed may be called by one that has not. */
const checkBodies = async (
  client: pg.Client,
  files: readonly FunctionFile[],
  current: readonly CatalogFunction[],
): Promise<void> => {
  await client.query('SET LOCAL check_function_bodies = on');
  for (const { name, validator, id } of current) {
    const file = files.find((one) => one.name === name)?.file ?? name;
    if (validator) await nameErrors(file, () => client.query(`SELECT ${validator}($1::oid)`, [id]));
  }
};

const recordComment = async (client: pg.Client, file: FunctionFile, { signature }: CatalogFunction) =>
  client.query(`COMMENT ON ROUTINE ${signature} IS ${pg.escapeLiteral(commentOf(file))}`);

const hasFile = (files: readonly FunctionFile[], { name }: CatalogFunction): boolean =>
  files.some((file) => file.name === name);
const isOfEarlierRelease = (files: readonly FunctionFile[], { comment }: CatalogFunction): boolean =>
  comment?.startsWith(UNUSED) === true && comment !== unusedComment(files);

type ReadCatalog = () => Promise<readonly CatalogFunction[]>;

const replaceFunctions = async (
  client: pg.Client,
  readCatalog: ReadCatalog,
  files: readonly FunctionFile[],
  changed: readonly FunctionFile[],
): Promise<AppliedFunctions> => {
  const previous = await readCatalog();
  // Bodies are checked when all of them are there: they may call each other. An aggregate is tied to its functions at once.
  await client.query('SET LOCAL check_function_bodies = off');
  for (const file of [...changed].sort((a, b) => Number(a.isAggregate) - Number(b.isAggregate))) {
    const sameName = previous.filter(({ name }) => name === file.name);
    await nameErrors(file.file, () => replaceFunction(client, file, sameName));
  }
  const latest = await readCatalog();
  const previousVersions = new Set(previous.map(({ written }) => written));
  const isUnwanted = (one: CatalogFunction) =>
    !hasFile(files, one) || (previousVersions.has(one.written) && hasFile(changed, one));
  const unwanted = latest.filter(isUnwanted);
  const current = latest.filter((one) => !isUnwanted(one));
  // New functions call none that is to be dropped, now or one release later.
  await client.query('SAVEPOINT without_unwanted');
  await drop(client, unwanted);
  await checkBodies(client, files, current);
  await client.query('ROLLBACK TO SAVEPOINT without_unwanted');
  const dropped = unwanted.filter((one) => hasFile(files, one) || isOfEarlierRelease(files, one));
  await drop(client, dropped);
  for (const { signature } of unwanted.filter((one) => !dropped.includes(one)))
    await client.query(`COMMENT ON ROUTINE ${signature} IS ${pg.escapeLiteral(unusedComment(files))}`);
  for (const one of current) {
    const file = changed.find(({ name }) => name === one.name);
    if (file) await recordComment(client, file, one);
  }
  return { functions: changed.map(({ name }) => name), dropped: dropped.map(({ signature }) => signature) };
};

/**
 * Makes the functions of the database those of the files: replaces what has changed and drops what no file makes since another release,
 * all in one transaction or nothing. If the files are behind the database, what they do not make is of a later release, whose tables may use it:
 * it stays. Throws with the name of the file that Postgres refuses.
 */
export const applyFunctions = async (
  client: pg.Client,
  files: readonly FunctionFile[],
  { isBehind, ...lockOptions }: LockOptions & { readonly isBehind: boolean },
): Promise<AppliedFunctions> => {
  const readCatalog: ReadCatalog = async () =>
    (await readFunctionCatalog(client)).filter((one) => !isBehind || hasFile(files, one));
  const catalog = await readCatalog();
  const changed = files.filter((file) => !isUpToDate(file, catalog));
  const isSettled = (one: CatalogFunction) => hasFile(files, one) || one.comment === unusedComment(files);
  if (changed.length === 0 && catalog.every(isSettled)) return { functions: [], dropped: [] };
  return untilUnlocked(lockOptions, async () => {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockOptions.lockTimeoutMs}`);
      const result = await replaceFunctions(client, readCatalog, files, changed);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  });
};
