import { kubernetesFiles } from '@tds/k8s';
import { loadConfigs } from '@tds/provisioning';
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
  readonly env: readonly Variable[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
};
export type Pod = {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly initContainers?: readonly [Container];
};

const files = kubernetesFiles(await loadConfigs());

/** The pod of a service, as its manifest has it. */
export const podOf = (service: string): Pod => {
  const documents = parseAllDocuments(String(files[`infra/deploy/k8s/base/services/${service}.yaml`]));
  const deployment = documents.map((one) => one.toJS()).find(({ kind }) => kind === 'Deployment');
  return deployment.spec.template.spec as Pod;
};

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
