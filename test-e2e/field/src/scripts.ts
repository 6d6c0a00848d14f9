import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@tds/servers';

// biome-ignore lint/suspicious/noExplicitAny: each script has controls of its own
type Controlled = any;

/** A script of the folder of cases that runs beside the system, and its controls. */
export type Script = {
  readonly ports: readonly number[];
  /** Sends a body to one of its controls, or reads it, and returns what it answers. */
  tell(control: string, body?: object): Promise<Controlled>;
  stop(): void;
};

const STARTS_WITHIN_MS = 20_000;

const untilFirstLine = async (started: ChildProcess, name: string): Promise<void> => {
  const late = AbortSignal.timeout(STARTS_WITHIN_MS);
  const ended = once(started, 'exit').then(() => Promise.reject(new Error(`${name} has ended`)));
  ended.catch(() => undefined);
  if (started.stdout === null) throw new Error(`${name} has no output`);
  await Promise.race([once(started.stdout, 'data', { signal: late }), ended]);
};

const startScript = async (
  folder: string,
  name: string,
  args: (ports: readonly string[]) => readonly string[],
  count: number,
  environment: NodeJS.ProcessEnv = {},
): Promise<Script> => {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  const started = spawn(process.execPath, [path.join(folder, name), ...args(ports.map(String))], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilFirstLine(started, name);
  const origin = `http://127.0.0.1:${ports.at(-1)}`;
  return {
    ports,
    tell: async (control, body) => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      return (await fetch(`${origin}/_/${control}`, init)).json();
    },
    stop: () => void started.kill(),
  };
};

/** The platform that serves the cases; `certificate` has it speak TLS. */
export const startPlatform = (
  folder: string,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<Script> =>
  startScript(
    folder,
    'platform.mjs',
    ([port = '']) => [path.join(folder, 'cases'), port],
    1,
    certificate && { TLS_KEY: certificate.key, TLS_CERT: certificate.cert },
  );

/** Proxies of every temper: the ports of HTTP, of SOCKS 5 and of their controls. */
export const startExits = (folder: string): Promise<Script> =>
  startScript(folder, 'exits.mjs', (ports) => ports, 3);

/** A provider of tokens of every temper. */
export const startTokens = (folder: string): Promise<Script> =>
  startScript(folder, 'tokens.mjs', (ports) => ports, 1);

/** The case of that name. */
export const readCase = (folder: string, name: string): Controlled =>
  JSON.parse(readFileSync(path.join(folder, 'cases', name, 'case.json'), 'utf8'));
