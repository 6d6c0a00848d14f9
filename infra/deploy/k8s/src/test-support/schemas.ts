import type { Rendered } from './rendered.ts';

const packages: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'keda.sh': '@kubernetes-models/keda',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};

/** The published schema of a kind. */
const loadModel = async ({ apiVersion, kind }: Rendered) => {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const base = packages[group] ?? 'kubernetes-models';
  const models = await import([base, group, version].filter((part) => part !== '').join('/'));
  return models[kind] as new (
    object: Rendered,
  ) => { validate(): void };
};

const findProblem = async (object: Rendered): Promise<string[]> => {
  try {
    new (await loadModel(object))(object).validate();
    return [];
  } catch (error) {
    return [`${object.kind}/${object.metadata.name}: ${String(error)}`];
  }
};

/** What their published schemas say against objects. */
export const findProblems = async (objects: readonly Rendered[]): Promise<string[]> =>
  (await Promise.all(objects.map(findProblem))).flat();
