import { describe, expect, it } from '@jest/globals';
import { loadConfigs, serviceNames } from '@tds/provisioning';
import { overlays } from '../places.ts';
import { type Rendered, renderAll } from './rendered.ts';

export const configs = await loadConfigs();
const rendered = await renderAll();

// biome-ignore lint/suspicious/noExplicitAny: fields of rendered objects, which schemas check
export type Any = any;
export type Pod = {
  readonly name: string;
  readonly owner: Rendered;
  readonly spec: Any;
  readonly labels: Any;
};

export const filterKinds = (objects: readonly Rendered[], ...kinds: string[]) =>
  objects.filter(({ kind }) => kinds.includes(kind));
export const nameOf = ({ metadata }: Rendered): string => metadata.name;
export const listPods = (objects: readonly Rendered[]): Pod[] =>
  filterKinds(objects, 'Deployment', 'StatefulSet', 'Job', 'CronJob').map((owner) => {
    const { template } = owner.kind === 'CronJob' ? owner.spec.jobTemplate.spec : owner.spec;
    return { name: nameOf(owner), owner, spec: template.spec, labels: template.metadata.labels };
  });
export const containersOf = ({ spec }: Pod): Any[] => [...(spec.initContainers ?? []), ...spec.containers];
export const servicePods = (objects: readonly Rendered[]) =>
  listPods(objects).filter(({ name }) => serviceNames.includes(name));
export type Rule = {
  readonly promise: string;
  /** What breaks it, in words. */
  readonly breaches: (objects: readonly Rendered[]) => unknown[];
  /** One change of `ha` that breaks it. */
  readonly mutate: (objects: Rendered[]) => void;
};
export const podNamed = (objects: readonly Rendered[], name: string): Pod =>
  listPods(objects).find((one) => one.name === name) as Pod;

/** Tests that each rule holds in all overlays, and notices its mutation. */
export const holdRules = (rules: readonly Rule[]): void =>
  describe.each(rules)('$promise', ({ breaches, mutate }) => {
    it.each(overlays)('in %s', (overlay) => {
      expect(breaches(rendered[overlay])).toEqual([]);
    });

    it('and a change that breaks it is noticed', () => {
      const changed = structuredClone(rendered.ha);
      mutate(changed);
      expect(breaches(changed)).not.toEqual([]);
    });
  });
