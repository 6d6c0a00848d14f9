import type { Principal } from '@tds/contracts';

/** Whose request it is, and under which key it counts. Only keys reach these routes, so there always is one. */
export const askingOf = ({ accountId, keyId, limitId, tier }: Principal) => ({
  ...{ accountId, keyId: keyId as string, tier },
  ...(limitId === undefined ? {} : { limitId }),
});
