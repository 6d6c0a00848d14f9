import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { workspaceRoot } from '@tds/servers';
import { parseAllDocuments } from 'yaml';

export const overlays = ['dev', 'single-node', 'ha'] as const;
export type Overlay = (typeof overlays)[number];

/** Where the servers of an installation are. */
export type Places = {
  readonly brokers: readonly string[];
  /** The servers of Postgres by their names, and the databases on each; one server has all. */
  readonly postgres: Readonly<
    Record<string, { readonly host: string; readonly databases?: readonly string[] }>
  >;
  /** Of the addresses of databases. */
  readonly sslmode: string;
};

const fileOf = (...parts: string[]): string => path.join(workspaceRoot, 'infra/deploy/k8s', ...parts);
const readSettings = (file: string): NodeJS.ProcessEnv =>
  existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};

/** The settings of an overlay, as its `settings.env` and that of `base` have them. */
export const readOverlaySettings = (overlay: Overlay): NodeJS.ProcessEnv => ({
  ...readSettings(fileOf('base/settings.env')),
  ...readSettings(fileOf('overlays', overlay, 'settings.env')),
});

/** The clusters of `ha` name their databases. CloudNativePG reaches each at a name of its own. */
const clusters = (): Places['postgres'] =>
  Object.fromEntries(
    parseAllDocuments(readFileSync(fileOf('overlays/ha/postgres.yaml'), 'utf8'))
      .map((document) => document.toJS())
      .filter(({ kind }) => kind === 'Cluster')
      .map(({ metadata: { name }, spec: { inheritedMetadata } }) => [
        name,
        { host: `${name}-rw`, databases: inheritedMetadata.annotations['tds.dev/databases'].split(' ') },
      ]),
  );

/** CloudNativePG signs with an authority of its own: connections are encrypted, and policies say who answers. */
export const placesOf = (overlay: Overlay): Places => ({
  brokers: (readOverlaySettings(overlay).NATS_URL ?? '')
    .split(',')
    .map((address) => address.split(':')[0] ?? ''),
  postgres: overlay === 'ha' ? clusters() : { postgres: { host: 'postgres' } },
  sslmode: overlay === 'ha' ? 'no-verify' : 'disable',
});
