import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { chargeReply, refundReply, reserveReply, resolveReply } from '../domain/replies.ts';
import { readEpoch } from '../store/database.ts';
import { readChargedReservations, readItems, readJob, readOpenReservations } from '../store/reservations.ts';

export const reserveItems = onCommand(
  creditsLedger.reserveItems,
  async ({ ledger, config }: Deps, request, context) => {
    const answer = await ledger.reserve(request, context.signal);
    const { ref, unit, items } = request;
    context.record.add({
      ref,
      unit,
      items: items.length,
      held: answer.held.length,
      reservation: answer.outcome,
    });
    return reserveReply(ref, answer, config.buyUrl);
  },
);

export const resolveItems = onCommand(
  creditsLedger.resolveItems,
  async ({ ledger }: Deps, { ref, charge, release }, context) => {
    const { requestId, signal } = context;
    const reply = resolveReply(await ledger.resolve({ ref, charge, release, requestId }, signal));
    context.record.add({
      ref,
      charge: charge.length,
      release: release.length,
      charged: reply.charged.length,
    });
    return reply;
  },
);

export const chargeItems = onCommand(creditsLedger.chargeItems, async ({ ledger }: Deps, request, context) => {
  const { ref, unit, items } = request;
  const answer = await ledger.charge(request);
  context.record.add({ ref, unit, items: items.length, charge: answer.outcome });
  return chargeReply(ref, answer);
});

export const refundItems = onCommand(
  creditsLedger.refundItems,
  async ({ ledger }: Deps, { ref, items }, context) => {
    const answer = await ledger.refund({ ref, items, requestId: context.requestId });
    context.record.add({ ref, items: items.length, refund: answer.outcome });
    return refundReply(answer);
  },
);

export const lookUpItems = onCommand(creditsLedger.lookUpItems, async ({ sql }: Deps, { refs }) => ({
  ledgerEpoch: await readEpoch(sql),
  rows: await readItems(sql, refs),
}));

export const lookUpJob = onCommand(creditsLedger.lookUpJob, async ({ sql }: Deps, request) => ({
  ledgerEpoch: await readEpoch(sql),
  ...(await readJob(sql, request)),
}));

export const listOpenReservations = onCommand(
  creditsLedger.listOpenReservations,
  async ({ sql }: Deps, request) => ({
    ledgerEpoch: await readEpoch(sql),
    rows: await readOpenReservations(sql, request),
  }),
);

export const listChargedReservations = onCommand(
  creditsLedger.listChargedReservations,
  async ({ sql }: Deps, request) => ({
    ledgerEpoch: await readEpoch(sql),
    rows: await readChargedReservations(sql, request),
  }),
);
