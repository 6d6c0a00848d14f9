import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, loadConfig, Secret } from './config.ts';
import { booleanFlag, durationMs, keyRing, port, secret, secretUrl, url, wholeNumber } from './fields.ts';

const schema = z.object({
  DATABASE_URL: secretUrl('postgres', 'postgresql'),
  PEPPER: secret({ minLength: 16 }),
  PORT: port().default(8080),
  LEASE: durationMs().default(30_000),
  PUBLIC_URL: url('https').optional(),
  IS_LIVE: booleanFlag().default(false),
  WORKERS: wholeNumber({ min: 1, max: 64 }).default(4),
});

const good = { DATABASE_URL: 'postgres://ledger:hunter2hunter2@db/ledger', PEPPER: 'sixteen-characters' };
const load = (environment: NodeJS.ProcessEnv) => loadConfig(schema, environment, { service: 'identity' });

const problemsOf = (environment: NodeJS.ProcessEnv): ConfigError => {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error('was accepted');
};

describe('loadConfig', () => {
  it('reads values as their types, with defaults for what is absent or empty', () => {
    const config = load({ ...good, PORT: '0', LEASE: '1.5m', IS_LIVE: 'yes', WORKERS: '', UNRELATED: 'x' });
    expect(config).toMatchObject({ PORT: 0, LEASE: 90_000, IS_LIVE: true, WORKERS: 4 });
    expect(config.PEPPER.reveal()).toBe('sixteen-characters');
    expect(config).not.toHaveProperty('UNRELATED');
  });

  it('names every problem at once, by the name of the variable', () => {
    const { problems, message } = problemsOf({
      PEPPER: 'short',
      PORT: '70000',
      LEASE: 'soon',
      PUBLIC_URL: 'http://plain.example',
      IS_LIVE: 'perhaps',
      WORKERS: '65',
    });
    expect(problems).toEqual([
      'DATABASE_URL is missing',
      'PEPPER: expected at least 16 characters',
      'PORT: expected a port from 0 to 65535',
      'LEASE: expected a duration such as 250ms, 30s, 5m, 2h or 1d',
      'PUBLIC_URL: expected a URL that starts with https://',
      'IS_LIVE: expected true or false',
      'WORKERS: expected a whole number from 1 to 64',
    ]);
    for (const problem of problems) expect(message).toContain(problem);
    expect(message).toContain('identity');
  });

  it('never shows a value, not even one that a message quotes', () => {
    const quoting = z.object({
      KEY: z.string().refine(() => false, { error: (issue) => `bad key: ${String(issue.input)}` }),
    });
    const failing = () => loadConfig(quoting, { KEY: 'sk_test_51Habc' }, { service: 'billing' });
    expect(failing).toThrow('KEY: bad key: [value]');
    const error = problemsOf({ DATABASE_URL: 'mysql://u:hunter2@db', PEPPER: 'hunter2' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
  });
});

describe('Secret', () => {
  it('shows itself in no template, JSON, inspection or concatenation', () => {
    const value = new Secret('hunter2');
    const shown = [
      `${value}`,
      JSON.stringify({ value }),
      inspect({ value }, { showHidden: true }),
      `a${value}`,
    ];
    expect(shown.join()).not.toContain('hunter2');
    expect(Object.keys(value)).toEqual([]);
    expect(value.reveal()).toBe('hunter2');
  });
});

describe('durationMs', () => {
  it.each([
    ['250', 250],
    ['250ms', 250],
    ['30s', 30_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0.5s', 500],
  ])('%s is %i ms', (text, expected) => {
    expect(durationMs().parse(text)).toBe(expected);
  });

  it.each(['-1s', '1 s', '1w', '', 'NaN', '1e3'])('%j is refused', (text) => {
    expect(durationMs().safeParse(text).success).toBe(false);
  });
});

describe('keyRing', () => {
  const secretOf = (fill: string) => fill.repeat(32);

  it('signs with the first key and verifies with all', () => {
    const [old, both] = [`a:${secretOf('x')}`, `b:${secretOf('y')}, a:${secretOf('x')}`].map((text) =>
      keyRing().parse(text).forUse('tests'),
    );
    expect(both?.sign('text')).toMatch(/^b\./);
    expect(both?.check('text', old?.sign('text') ?? '')).toBe('right');
  });

  it.each([
    '',
    'no-secret',
    `a:${'x'.repeat(31)}`,
    `A:${secretOf('x')}`,
    `a:${secretOf('x')},a:${secretOf('y')}`,
    `a:${secretOf('x')},b`,
  ])('%j is refused', (text) => {
    expect(keyRing().safeParse(text).success).toBe(false);
  });
});
