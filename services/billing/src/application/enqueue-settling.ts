import { billing } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Surface } from '../surface.ts';

/** Has those that were paid together granted together. */
export const enqueueGranting = async (
  send: Sender<Surface>,
  purchaseIds: readonly string[],
): Promise<void> => {
  if (purchaseIds.length > 0) await send.enqueue(billing.grantPurchases, { purchaseIds: [...purchaseIds] });
};

/** Has what changed of a purchase brought to everybody; one at a time for each purchase. */
export const enqueueSettling = async (send: Sender<Surface>, purchaseId: string): Promise<void> => {
  await send.enqueue(billing.settlePurchase, { purchaseId }, { partition: purchaseId });
};
