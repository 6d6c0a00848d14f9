import type { Surface } from '@tds/contracts';
import type { ObjectRights } from '../objects/object-rights.ts';

/** What a service's surface needs of the object store, by the beginnings of keys. */
export const objectPermissionsOf = ({ name, contract, readsObjects }: Surface): ObjectRights => ({
  writes: Object.values(contract.objects).map(({ prefix }) => prefix),
  reads: readsObjects.filter(({ owner }) => owner !== name).map(({ prefix }) => prefix),
});

/** Whoever has none needs no address of the store. */
export const usesObjects = (surface: Surface): boolean => {
  const { writes, reads } = objectPermissionsOf(surface);
  return writes.length + reads.length > 0;
};
