import { type ServiceError, serviceError } from '@tds/contracts';

/** Credits a UTC day; null is no cap. */
export type DailyCap = number | null;
type CappedKey = { readonly id: string; readonly dailyCreditCap: DailyCap };

const isLooser = (wanted: DailyCap, held: DailyCap): boolean =>
  held !== null && (wanted === null || wanted > held);

/** Why a key, or null for a session, may not give a key this cap; null if it may. Undefined leaves the cap as it is. */
export const refusedCap = (
  asker: CappedKey | null,
  wanted: DailyCap | undefined,
  held: DailyCap,
): ServiceError | null =>
  asker !== null && wanted !== undefined && isLooser(wanted, held) ? serviceError('cap_needs_session') : null;

/** The same for a key that it makes: a capped key hands out no more than it has. */
export const refusedCapOfNew = (asker: CappedKey | null, wanted: DailyCap): ServiceError | null => {
  if (asker === null || !isLooser(wanted, asker.dailyCreditCap)) return null;
  return serviceError('cap_needs_session', {
    message: `This key may spend ${asker.dailyCreditCap} credits a day, and a key that it creates no more than that. Send such a daily_credit_cap, or use a session.`,
  });
};

/** The same for a rotation. Its caller gets the new secret, so a capped key that rotated others would get their day's credits, too. */
export const refusedCapOfRotation = (
  asker: CappedKey | null,
  wanted: DailyCap | undefined,
  rotated: CappedKey,
): ServiceError | null => {
  if (asker === null || asker.dailyCreditCap === null || asker.id === rotated.id)
    return refusedCap(asker, wanted, rotated.dailyCreditCap);
  return serviceError('cap_needs_session', {
    message: 'A key with a daily credit cap rotates itself only. Use a session for other keys.',
  });
};
