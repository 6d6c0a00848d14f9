import { identity } from '@tds/contracts';
import { onSchedule, walk } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { markTold, type UntoldEnd, untoldEnds } from '../store/untold-ends.ts';

/** No request ends a key at the end of its grace, so no request tells of it. */
export const tellEndedKeys = onSchedule(
  async ({ db, messaging, vault, databaseNow }: Deps, { record, signal }) => {
    const now = await databaseNow();
    let told = 0;
    const tell = (page: readonly UntoldEnd[]) =>
      messaging.transaction(db, async (tx, send) => {
        const ids = page.map(({ id }) => id);
        for (const { id: keyId, accountId, sealedDigest } of await markTold(tx, ids)) {
          const keyDigest = vault.unseal(sealedDigest, keyId);
          await send.emit(identity.keyRevoked, { accountId, keyId, keyDigest, atOnce: false });
          told += 1;
        }
      });
    await walk<UntoldEnd>((after) => untoldEnds(db, now, after?.id), tell, signal);
    record.add({ told });
  },
);
