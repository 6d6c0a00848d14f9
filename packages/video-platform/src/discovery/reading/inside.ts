import { bounds } from '../../config/bounds.ts';

/** The value at a path of keys; undefined where the path leaves objects. */
export const inside = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );

/** The list at a path, cut to `most`; empty where there is none. */
export const listInside = (
  value: unknown,
  path: readonly (string | number)[],
  most: number = bounds.parts,
): readonly unknown[] => {
  const found = inside(value, ...path);
  return Array.isArray(found) ? found.slice(0, most) : [];
};

/** The values of one key in every element of a list that has it. */
export const each = (items: readonly unknown[], key: string): readonly unknown[] =>
  items.flatMap((item) => {
    const found = inside(item, key);
    return found === undefined ? [] : [found];
  });
