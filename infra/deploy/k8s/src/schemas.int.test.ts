import { expect, it } from '@jest/globals';
import { type Rendered, renderAll } from './test-support/rendered.ts';
import { findProblems } from './test-support/schemas.ts';

const rendered = await renderAll();

it.each(Object.entries(rendered))(
  'every object of %s is valid by the schema of its kind',
  async (_, objects) => {
    expect(await findProblems(objects)).toEqual([]);
  },
  60_000,
);

it('a wrong type is noticed', async () => {
  const [gateway] = rendered.ha.filter(({ kind }) => kind === 'Ingress');
  const wrong = { ...gateway, spec: { ...gateway?.spec, ingressClassName: 1 } } as unknown as Rendered;
  expect(await findProblems([wrong])).toHaveLength(1);
});
