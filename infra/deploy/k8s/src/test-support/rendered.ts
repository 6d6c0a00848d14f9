import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@tds/servers';
import { findKubectl } from '@tds/servers/testing';
import { parseAllDocuments } from 'yaml';
import { type Overlay, overlays } from '../places.ts';

/** An object as the cluster gets it. */
// biome-ignore lint/suspicious/noExplicitAny: rules read objects of every kind, which schemas check
export type Rendered = Readonly<Record<'apiVersion' | 'kind', string>> & Record<string, any>;

const run = promisify(execFile);
const root = path.join(workspaceRoot, 'infra/deploy/k8s');

/** Looked for once: it takes as long to say its version as to render. */
let kubectl: Promise<string> | undefined;

/** What kustomize makes of a folder, and its warnings. */
export const render = async (folder: string): Promise<{ objects: Rendered[]; warnings: string }> => {
  const maxBuffer = 16 * 1024 * 1024;
  kubectl ??= findKubectl();
  const { stdout, stderr } = await run(await kubectl, ['kustomize', folder], { maxBuffer });
  return { objects: parseAllDocuments(stdout).map((one) => one.toJS() as Rendered), warnings: stderr };
};

const ours = new Map<Overlay, ReturnType<typeof render>>();
/** One of our overlays, rendered once for all test files. */
export const renderOverlay = (overlay: Overlay) => {
  const rendered = ours.get(overlay) ?? render(path.join(root, 'overlays', overlay));
  ours.set(overlay, rendered);
  return rendered;
};

/** An installation's own overlay on one of ours, with files beside it. */
export const renderOwn = async (overlay: Overlay, extra: object, files: Record<string, string> = {}) => {
  const folder = mkdtempSync(path.join(root, 'overlays', 'test-'));
  try {
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [`../${overlay}`],
      ...extra,
    };
    const all = { ...files, 'kustomization.yaml': JSON.stringify(kustomization) };
    for (const [name, text] of Object.entries(all)) writeFileSync(path.join(folder, name), text);
    return await render(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** All overlays. */
export const renderAll = async (): Promise<Record<Overlay, Rendered[]>> => {
  const all = await Promise.all(
    overlays.map(async (overlay) => [overlay, (await renderOverlay(overlay)).objects] as const),
  );
  return Object.fromEntries(all) as Record<Overlay, Rendered[]>;
};
