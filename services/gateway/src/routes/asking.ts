import type { Principal } from '@tds/contracts';

/** Whose request it is, and under which slot it counts. Only keys reach these routes, so there always is one. */
export const askingOf = ({ accountId, keyId, limitId, tier }: Principal) => ({
  accountId,
  keyId: keyId as string,
  limitId: limitId as string,
  tier,
});
