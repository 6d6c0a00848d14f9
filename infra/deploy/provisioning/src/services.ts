import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Surface } from '@tds/contracts';
import type { StartableService } from '@tds/kit';
import { workspaceRoot } from '@tds/migrations';

export const inServices = (...parts: string[]): string => path.join(workspaceRoot, 'services', ...parts);
/** An image holds the bundles of these files. */
const extension = path.extname(import.meta.filename);
const names = readdirSync(inServices())
  .filter((name) => existsSync(inServices(name, `src/main${extension}`)))
  .toSorted();

/** Those with tables of their own. */
export const storedServiceNames = names.filter((name) => existsSync(inServices(name, 'prisma/schema.prisma')));

/** Every folder under services/, callees first: a service without tables only calls the others. */
export const serviceNames = [
  ...storedServiceNames,
  ...names.filter((name) => !storedServiceNames.includes(name)),
];

export const importFrom = async (name: string, file: string): Promise<Record<string, unknown>> =>
  await import(pathToFileURL(inServices(name, 'src', file + extension)).href);

/**
 * The services themselves, in the same order. A run with one process for each service never calls it: it would hold all
 * of them for nothing.
 */
export const loadServices = (): Promise<StartableService[]> =>
  Promise.all(serviceNames.map(async (name) => (await importFrom(name, 'index')).service as StartableService));

/** What each service shows of itself, in the same order. */
export const loadSurfaces = (): Promise<Surface[]> =>
  Promise.all(serviceNames.map(async (name) => (await importFrom(name, 'surface')).surface as Surface));
