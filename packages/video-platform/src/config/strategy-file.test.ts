import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultStrategies } from './strategies.ts';
import { openStrategies, parseStrategies, type StrategySource } from './strategy-file.ts';

const [android, visionos, web] = defaultStrategies as unknown as [object, object, object];
const toText = (...rows: readonly object[]): string => JSON.stringify(rows);
const named = (name: string): object => ({ ...android, name });

describe('the rows of a file', () => {
  it('are those that the command prints, and disabled ones are left out', () => {
    expect(parseStrategies(toText(...defaultStrategies))).toEqual(defaultStrategies);
    expect(parseStrategies(toText({ ...android, enabled: false }, { ...web, enabled: true }))).toEqual([web]);
  });

  it.each<[string, string, string]>([
    ['an unknown field', toText(android, { ...web, clientVersio: '1' }), '[1].clientVersio: unknown field'],
    ['a wrong field', toText({ ...android, gl: 'usa' }), '[0].gl: '],
    ['a missing field', toText({ ...android, hasDate: undefined }), '[0].hasDate: '],
    ['a header of the transport', toText({ ...android, headers: { host: 'a' } }), '[0].headers.host: '],
    [
      'a header with a line break',
      toText({ ...android, headers: { 'x-a': 'a\r\nb: c' } }),
      '[0].headers.x-a: ',
    ],
    ['the same name twice', toText(android, { ...web, name: 'android' }), '[1].name: is not unique'],
    ['nothing enabled', toText({ ...android, enabled: false }), 'the file: expected at least one row'],
    ['no list', '{}', 'the file: '],
    ['no JSON', '[', 'it is not JSON'],
  ])('with %s are refused by its path', (_what, text, message) => {
    expect(() => parseStrategies(text)).toThrow(message);
  });
});

const EVERY_MS = 5;

describe('a file of strategies', () => {
  let folder: string;
  let file: string;
  const stops: (() => Promise<void>)[] = [];
  const logged: string[] = [];
  let isRefused = Number.NaN;
  const hooks = {
    log: {
      info: (message: string) => logged.push(message),
      error: (message: string, { reason }: { reason?: string }) => logged.push(`${message}: ${reason}`),
    },
    metrics: { gauge: () => ({ set: (_labels: object, value: number) => (isRefused = value) }) },
    onStop: (_name: string, stop: () => Promise<void>) => stops.push(stop),
  } as unknown as Parameters<typeof openStrategies>[1];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'strategies-'));
    file = path.join(folder, 'strategies.json');
    logged.length = 0;
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    rmSync(folder, { recursive: true });
  });

  const write = (text: string, to = file) => writeFileSync(to, text);
  const open = () => openStrategies(file, hooks, EVERY_MS);
  const getNames = (source: StrategySource) =>
    source()
      .map(({ name }) => name)
      .join();
  const until = async (holds: () => boolean) => {
    for (let tries = 0; !holds() && tries < 1_000; tries += 1) await delay(EVERY_MS);
    expect(holds()).toBe(true);
  };

  it('is not needed', () => {
    expect(openStrategies(undefined, hooks)()).toBe(defaultStrategies);
    expect(isRefused).toBe(0);
  });

  it.each([
    ['is missing', () => undefined, 'ENOENT'],
    ['is a folder', () => mkdirSync(file), 'it is no file'],
    ['is too large', () => write(' '.repeat(65_537)), 'more than 65536 bytes'],
    ['has an error', () => write(toText({ ...web, names: 1 })), '[0].names: unknown field'],
  ])('that %s ends the start, and its message names the file', (_what, make, reason) => {
    make();
    expect(open).toThrow(`PLATFORM_STRATEGIES_FILE ${file} is refused`);
    expect(open).toThrow(reason);
  });

  it('is read again when it is written, replaced by rename, and mounted anew by a symlink', async () => {
    write(toText(named('first')));
    const source = open();
    write(toText(named('written')));
    await until(() => getNames(source) === 'written');
    write(toText(named('renamed')), path.join(folder, 'new.json'));
    renameSync(path.join(folder, 'new.json'), file);
    await until(() => getNames(source) === 'renamed');
    // As the kubelet does with a ConfigMap: the file is a link into a folder that is a link.
    for (const version of ['v1', 'v2']) {
      mkdirSync(path.join(folder, version));
      write(toText(named(version)), path.join(folder, version, 'strategies.json'));
    }
    symlinkSync('v1', path.join(folder, 'data'));
    rmSync(file);
    symlinkSync('data/strategies.json', file);
    await until(() => getNames(source) === 'v1');
    symlinkSync('v2', path.join(folder, 'next'));
    renameSync(path.join(folder, 'next'), path.join(folder, 'data'));
    await until(() => getNames(source) === 'v2');
  });

  it('with an error is refused in one line, and the rows before stay until it is right', async () => {
    write(toText(android, visionos));
    const source = open();
    const before = source();
    write('[');
    await until(() => isRefused === 1);
    await delay(10 * EVERY_MS);
    expect(source()).toBe(before);
    expect(logged).toEqual([
      'the file of strategies is refused, and the rows before it stay in use: it is not JSON',
    ]);
    rmSync(file);
    await until(() => logged.length === 2);
    expect(source()).toBe(before);
    write(toText(visionos));
    await until(() => isRefused === 0);
    expect(getNames(source)).toBe('visionos');
  });

  it('that is put back as it was is no longer refused', async () => {
    write(toText(android));
    const source = open();
    const before = source();
    write('[');
    await until(() => isRefused === 1);
    write(toText(android));
    await until(() => isRefused === 0);
    expect(source()).toBe(before);
  });
});
