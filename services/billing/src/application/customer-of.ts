import type { Deps } from '../deps.ts';
import { findCustomer, saveCustomer } from '../store/customers.ts';

/** The processor's customer of an account; made on its first use, and the same for all who ask at once. */
export const customerOf = async (
  { db, processor }: Pick<Deps, 'db' | 'processor'>,
  accountId: string,
): Promise<string> => {
  const known = await findCustomer(db, accountId);
  if (known !== null) return known;
  const { id } = await processor.makeCustomer(accountId);
  await saveCustomer(db, accountId, id);
  return (await findCustomer(db, accountId)) ?? id;
};
