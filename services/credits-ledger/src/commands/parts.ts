import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { chargeReply, refundReply, reserveReply, resolveReply } from '../domain/replies.ts';
import { readEpoch } from '../store/database.ts';
import { readChargedReservations, readJob, readOpenReservations, readParts } from '../store/reservations.ts';

export const reserveParts = onCommand(
  creditsLedger.reserveParts,
  async ({ ledger, config }: Pick<Deps, 'ledger' | 'config'>, request, context) => {
    const answer = await ledger.reserve(request, context.signal);
    const { ref, unit, parts } = request;
    context.record.add({
      ref,
      unit,
      parts: parts.length,
      held: answer.held.length,
      reservation: answer.outcome,
    });
    return reserveReply(ref, answer, config.buyUrl);
  },
);

export const resolveParts = onCommand(
  creditsLedger.resolveParts,
  async ({ ledger }: Pick<Deps, 'ledger'>, { ref, charge, release }, context) => {
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

export const chargeParts = onCommand(
  creditsLedger.chargeParts,
  async ({ ledger }: Pick<Deps, 'ledger'>, request, context) => {
    const { ref, unit, parts } = request;
    const answer = await ledger.charge(request);
    context.record.add({ ref, unit, parts: parts.length, charge: answer.outcome });
    return chargeReply(ref, answer);
  },
);

export const refundParts = onCommand(
  creditsLedger.refundParts,
  async ({ ledger }: Pick<Deps, 'ledger'>, { ref, parts }, context) => {
    const answer = await ledger.refund({ ref, parts, requestId: context.requestId });
    context.record.add({ ref, parts: parts.length, refund: answer.outcome });
    return refundReply(answer);
  },
);

export const lookUpParts = onCommand(
  creditsLedger.lookUpParts,
  async ({ sql }: Pick<Deps, 'sql'>, { refs }) => ({
    ledgerEpoch: await readEpoch(sql),
    rows: await readParts(sql, refs),
  }),
);

export const lookUpJob = onCommand(creditsLedger.lookUpJob, async ({ sql }: Pick<Deps, 'sql'>, request) => ({
  ledgerEpoch: await readEpoch(sql),
  ...(await readJob(sql, request)),
}));

export const listOpenReservations = onCommand(
  creditsLedger.listOpenReservations,
  async ({ sql }: Pick<Deps, 'sql'>, request) => ({
    ledgerEpoch: await readEpoch(sql),
    rows: await readOpenReservations(sql, request),
  }),
);

export const listChargedReservations = onCommand(
  creditsLedger.listChargedReservations,
  async ({ sql }: Pick<Deps, 'sql'>, request) => ({
    ledgerEpoch: await readEpoch(sql),
    rows: await readChargedReservations(sql, request),
  }),
);
