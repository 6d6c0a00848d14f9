import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findListenError, workspaceRoot } from '@tds/servers';
import { parse } from 'yaml';

type Container = { readonly ports?: readonly string[]; readonly profiles?: readonly string[] };
export type PublishedPort = { readonly variable: string; readonly port: number };

/** The ports of the machine that docker-compose.yml publishes, with the profiles and variables of `.env`. */
export const publishedPorts = (env: NodeJS.ProcessEnv): PublishedPort[] => {
  const text = readFileSync(path.join(workspaceRoot, 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true, maxAliasCount: -1 }) as {
    readonly services: Readonly<Record<string, Container>>;
  };
  const activeProfiles = (env.COMPOSE_PROFILES ?? '').split(',');
  return Object.values(services)
    .filter(({ profiles }) => profiles?.some((one) => activeProfiles.includes(one)) ?? true)
    .flatMap(({ ports = [] }) => ports)
    .flatMap((published) => {
      const [, variable = '', fallback] = /\$\{(\w*PORT):-(\d+)\}/.exec(published) ?? [];
      const port = Number(env[variable] ?? fallback);
      return Number.isInteger(port) ? [{ variable, port }] : [];
    });
};

/** Those that another program has. */
export const takenPorts = async (env: NodeJS.ProcessEnv): Promise<PublishedPort[]> => {
  const results = await Promise.all(
    publishedPorts(env).map(async (one) => ((await findListenError(one.port)) === undefined ? [] : [one])),
  );
  return results.flat();
};
