import { serviceError } from '@tds/errors';

/** Throws `unknown_parameter` for a field of the route's other action, which would change nothing. */
export const refuseFields = <Fields extends object>(
  fields: Fields,
  names: readonly (keyof Fields & string)[],
  why: string,
): void => {
  const field = names.find((name) => fields[name] !== undefined);
  if (field !== undefined) throw serviceError('unknown_parameter', { message: `${field} ${why}` });
};
