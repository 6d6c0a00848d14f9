import { expect, it } from '@jest/globals';
import { type Rendered, renderAll } from './test-support/rendered.ts';

const packages: Readonly<Record<string, string>> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'keda.sh': '@kubernetes-models/keda',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};

/** The published schema of a kind. */
const modelOf = async ({ apiVersion, kind }: Rendered) => {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const base = packages[group] ?? 'kubernetes-models';
  const models = await import([base, group, version].filter((part) => part !== '').join('/'));
  return models[kind] as new (
    object: Rendered,
  ) => { validate(): void };
};

const problemOf = async (object: Rendered): Promise<string[]> => {
  try {
    new (await modelOf(object))(object).validate();
    return [];
  } catch (error) {
    return [`${object.kind}/${object.metadata.name}: ${String(error)}`];
  }
};

const rendered = await renderAll();

it.each(Object.entries(rendered))(
  'every object of %s is valid by the schema of its kind',
  async (_, objects) => {
    expect((await Promise.all(objects.map(problemOf))).flat()).toEqual([]);
  },
  60_000,
);

it('a wrong type is noticed', async () => {
  const [gateway] = rendered.ha.filter(({ kind }) => kind === 'Ingress');
  const wrong = { ...gateway, spec: { ...gateway?.spec, ingressClassName: 1 } } as unknown as Rendered;
  expect(await problemOf(wrong)).toHaveLength(1);
});
