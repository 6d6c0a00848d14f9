import type { z } from 'zod';

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of a public shape, filled from fields with the same names in camelCase; others are left out. */
export const publicFields = <Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  fields: { readonly [Name in keyof Shape & string as CamelCase<Name>]: z.output<Shape[Name]> },
): { [Name in keyof Shape]: z.output<Shape[Name]> } => {
  const values = new Map(Object.entries(fields).map(([name, value]) => [snakeCase(name), value]));
  return Object.fromEntries(Object.keys(shape).map((name) => [name, values.get(name)])) as never;
};
