import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { kubernetesSecrets } from '@tds/local';
import { loadSurfaces } from '@tds/provisioning';
import { openSecrets, workspaceRoot } from '@tds/servers';
import { findKubectl } from '@tds/servers/testing';
import { parseAllDocuments } from 'yaml';

type Variable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
};
type Container = {
  readonly command: readonly string[];
  readonly workingDir: string;
  readonly env: readonly Variable[];
  readonly resources: { readonly limits: { readonly memory: string } };
};
type PodSpec = {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  readonly containers: readonly [Container];
};
type Rendered = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
  readonly spec: { readonly template: { readonly spec: PodSpec } };
};
type Secrets = Awaited<ReturnType<typeof kubernetesSecrets>>;

const render = async (): Promise<Rendered[]> => {
  const overlay = path.join(workspaceRoot, 'infra/deploy/k8s/overlays/dev');
  const maxBuffer = 16 * 1024 * 1024;
  const { stdout } = await promisify(execFile)(await findKubectl(), ['kustomize', overlay], { maxBuffer });
  return parseAllDocuments(stdout).map((one) => one.toJS() as Rendered);
};

const resolve = (pod: string, secrets: Secrets, { value, valueFrom }: Variable): string | undefined => {
  const reference = valueFrom?.secretKeyRef;
  if (reference) return secrets[reference.name]?.[reference.key];
  return value ?? pod;
};

/**
 * For docker-compose, on top of docker-compose.yml: the services and the job of the streams with exactly the command, variables,
 * user, memory and grace that the overlay `dev` renders. Servers and networks stay those of docker-compose.yml.
 */
export const renderedFile = async (secretsFile: string, settings: NodeJS.ProcessEnv) => {
  const objects = await render();
  const secrets = await kubernetesSecrets(await loadSurfaces(), openSecrets(secretsFile), 'dev', settings);
  const [{ data } = { data: {} }] = objects.filter(({ kind }) => kind === 'ConfigMap');
  const pods = objects.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name in secrets);
  // The receiver of the tests is on this machine.
  const shared = { ...data, ...settings, WEBHOOK_LOCAL_RECEIVERS: '1' };
  const confidential = new Set(Object.values(secrets).flatMap(Object.keys));
  const publicSettings = Object.fromEntries(Object.entries(shared).filter(([name]) => !confidential.has(name)));
  const services = pods
    .filter(({ metadata }) => metadata.name !== 'payment-simulator')
    .map(({ metadata: { name }, spec }) => {
      const { containers, securityContext, terminationGracePeriodSeconds } = spec.template.spec;
      const [{ command, workingDir, env, resources }] = containers;
      const variables = env.flatMap((one) => {
        const value = resolve(name, secrets, one);
        return value === undefined ? [] : [[one.name, value]];
      });
      const container = {
        command,
        working_dir: workingDir,
        user: `${securityContext.runAsUser}:${securityContext.runAsGroup}`,
        environment: { ...publicSettings, ...Object.fromEntries(variables) },
        mem_limit: resources.limits.memory.toLowerCase().replace('i', ''),
        stop_grace_period: `${terminationGracePeriodSeconds}s`,
      };
      return [name, container];
    });
  return { services: Object.fromEntries(services) as Record<string, object> };
};
