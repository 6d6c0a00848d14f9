import { creditsLedger, MOST_RESERVATIONS, type OpenReservation, type Surface } from '@tds/contracts';
import { type Call, type Context, each, type Log, walk } from '@tds/service-kit';

type Asking = Surface & {
  readonly calls: readonly (
    | typeof creditsLedger.listOpenReservations
    | typeof creditsLedger.releaseReservation
  )[];
};

/** A service that holds credits for work of its own, whose ids are the refs. */
export type Holder = {
  readonly call: Call<Asking>;
  readonly log: Log;
  /** What the credits are held for: all of its reservations have it, and no other service's. */
  readonly reason: string;
  /** Younger reservations are left alone; longer than any work is open. */
  readonly olderThanMs: number;
  /** Those among the refs that are its work, whatever became of them. */
  known(refs: readonly string[]): Promise<ReadonlySet<string>>;
};

/**
 * Gives back what the ledger holds for work that nobody knows. A holder saves its work before it reserves, so what is not
 * there was lost with an earlier state of its database. One release that fails hides no other one; throws in the end.
 */
export async function releaseUnknown(
  { call, log, reason, olderThanMs, known }: Holder,
  context: Context,
): Promise<void> {
  const asked = { reason, olderThanMs, limit: MOST_RESERVATIONS };
  let released = 0;
  const find = async (after: OpenReservation | null) =>
    (await call(creditsLedger.listOpenReservations, { ...asked, after }, context)).rows;
  const release = each<string>(async (ref) => {
    await call(creditsLedger.releaseReservation, { ref }, context);
    released += 1;
  });
  const work = async (page: readonly OpenReservation[]) => {
    const refs = page.map(({ ref }) => ref);
    const ours = await known(refs);
    await release(refs.filter((ref) => !ours.has(ref)));
  };
  try {
    await walk(find, work, context.signal);
  } finally {
    if (released > 0) log.warn('credits that nobody knew of were given back', { reason, released });
  }
}
