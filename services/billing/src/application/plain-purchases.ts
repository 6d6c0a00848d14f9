import { worthOf } from '../domain/purchase-worth.ts';
import type { Db } from '../store/database.ts';
import { movedOf } from '../store/moved-money.ts';
import type { StoredPurchase } from '../store/purchases.ts';

export type Owned = StoredPurchase & { readonly accountId: string };

const isOwned = (purchase: StoredPurchase): purchase is Owned =>
  purchase.state === 'paid' && purchase.accountId !== null;

/** Those that are paid by an account and worth as much as they were bought for: of these the ledger needs only the block. */
export const plainOf = async (db: Db, purchases: Iterable<StoredPurchase>): Promise<Owned[]> => {
  const owned = [...purchases].filter(isOwned);
  const moved = await movedOf(
    db,
    owned.map(({ id }) => id),
  );
  return owned.filter((purchase) => {
    const money = moved.get(purchase.id);
    return money !== undefined && worthOf({ ...purchase, ...money }) === purchase.block;
  });
};
