import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import { findKubectl } from '@tds/servers/testing';
import { parseAllDocuments } from 'yaml';

type Variable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: object;
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
};
type Container = {
  readonly workingDir: string;
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env: readonly Variable[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
};
export type Pod = {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly initContainers?: readonly [Container];
};

const base = path.join(workspaceRoot, 'infra/deploy/k8s/base');
const rendered = execFileSync(await findKubectl(), ['kustomize', base], { encoding: 'utf8' });
const deployments = parseAllDocuments(rendered)
  .map((document) => document.toJS())
  .filter(({ kind }) => kind === 'Deployment');

/** The pod of a service, as its manifest has it. */
export const podOf = (service: string): Pod =>
  deployments.find(({ metadata }) => metadata.name === service).spec.template.spec as Pod;

/** As kubelet puts a container's variables together; it creates no container without a required key. */
export const environmentOf = (
  { env }: Container,
  secrets: Readonly<Record<string, NodeJS.ProcessEnv>>,
): NodeJS.ProcessEnv =>
  Object.fromEntries(
    env.flatMap(({ name, value, valueFrom }) => {
      const reference = valueFrom?.secretKeyRef;
      if (reference === undefined) return [[name, value ?? 'pod-of-the-test']];
      const secret = secrets[reference.name]?.[reference.key];
      if (secret !== undefined) return [[name, secret]];
      if (reference.optional) return [];
      throw new Error(`the Secret ${reference.name} has no ${reference.key}`);
    }),
  );
