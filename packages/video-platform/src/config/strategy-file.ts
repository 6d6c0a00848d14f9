import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Log } from '@tds/base';
import { z } from 'zod';
import type { Metrics } from '../budget.ts';
import { defaultStrategies, type Strategy, strategy } from './strategies.ts';

/** The rows in the order of preference. A change gives another list; rows that did not change stay equal. */
export type StrategySource = () => readonly Strategy[];

/** What follows from the rows: the same until the rows change. */
export const followRows = <Result>(
  source: StrategySource,
  derive: (rows: readonly Strategy[], previous: Result | undefined) => Result,
): (() => Result) => {
  let last: { readonly rows: readonly Strategy[]; readonly result: Result } | undefined;
  return () => {
    const rows = source();
    if (rows !== last?.rows) last = { rows, result: derive(rows, last?.result) };
    return last.result;
  };
};

const MAX_BYTES = 64 * 1_024;
const MAX_ROWS = 50;
const MAX_PROBLEMS = 5;
const RELOAD_MS = 30_000;

const row = z.strictObject({ ...strategy.shape, enabled: z.boolean().default(true) });

const rows = z
  .array(row)
  .max(MAX_ROWS)
  .superRefine((items, context) => {
    const names = items.map(({ name }) => name);
    for (const [index, name] of names.entries())
      if (names.indexOf(name) < index)
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is not unique' });
    if (!items.some(({ enabled }) => enabled)) context.addIssue('expected at least one row that is enabled');
  });

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '') || 'the file';

const problemsIn = (issue: z.core.$ZodIssue): string[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => `${pathText([...issue.path, key])}: unknown field`)
    : [`${pathText(issue.path)}: ${issue.message}`];

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
};

/** The enabled rows of a file's text. Throws an error that names each wrong field by its path. */
export const parseStrategies = (text: string): readonly Strategy[] => {
  const parsed = rows.safeParse(parseJson(text));
  if (!parsed.success)
    throw new Error(parsed.error.issues.flatMap(problemsIn).slice(0, MAX_PROBLEMS).join('; '));
  return parsed.data.filter(({ enabled }) => enabled).map(({ enabled: _enabled, ...values }) => values);
};

/** The text of the file that the path names now, whatever took its place. */
const readText = (file: string): string => {
  const descriptor = openSync(file, 'r');
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is no file');
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const bytes = readSync(descriptor, buffer, 0, buffer.length, 0);
    if (bytes > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
    return buffer.toString('utf8', 0, bytes);
  } finally {
    closeSync(descriptor);
  }
};

export type StrategyHooks = {
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly metrics: Pick<Metrics, 'gauge'>;
  onStop(name: string, stop: () => Promise<void>): void;
};

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * The rows of `PLATFORM_STRATEGIES_FILE`, or the built-in ones without a file. The file is read again at each change; one with an error is
 * refused, and the rows before it stay. Throws if the file has an error at the start.
 */
export const openStrategies = (
  file: string | undefined,
  { log, metrics, onStop }: StrategyHooks,
  everyMs = RELOAD_MS,
): StrategySource => {
  const isRefused = metrics.gauge({
    name: 'tds_strategies_refused',
    help: '1 while the file of strategies has an error, so that the rows before it are in use',
    labels: [],
  });
  isRefused.set({}, 0);
  if (file === undefined) return () => defaultStrategies;
  let current: readonly Strategy[];
  let text: string;
  let refusedFor: string | null = null;
  try {
    text = readText(file);
    current = parseStrategies(text);
  } catch (error) {
    throw new Error(`PLATFORM_STRATEGIES_FILE ${file} is refused: ${toReason(error)}`);
  }
  const refuse = (reason: string) => {
    if (reason === refusedFor) return;
    refusedFor = reason;
    isRefused.set({}, 1);
    log.error('the file of strategies is refused, and the rows before it stay in use', { file, reason });
  };
  const reload = () => {
    try {
      const latest = readText(file);
      if (latest === text && refusedFor === null) return;
      current = latest === text ? current : parseStrategies(latest);
      text = latest;
    } catch (error) {
      return refuse(toReason(error));
    }
    refusedFor = null;
    isRefused.set({}, 0);
    log.info('strategies were read', { file, strategies: current.map(({ name }) => name) });
  };
  const timer = setInterval(reload, everyMs).unref();
  onStop('file of strategies', async () => clearInterval(timer));
  return () => current;
};
