import {
  accountCreated,
  accountStatusChanged,
  balances,
  creditsGranted,
  defineSurface,
  getBalance,
  getDayUsage,
  getLedger,
  getUsage,
  grantOutageCredit,
  grantOutageCredits,
  recordUsage,
  refundCharge,
  releaseReservation,
  reserveCredits,
  settleReservation,
} from '@tds/contracts';

export const surface = defineSurface({
  name: 'credits-ledger',
  answers: [
    reserveCredits,
    settleReservation,
    releaseReservation,
    refundCharge,
    getBalance,
    recordUsage,
    getUsage,
    getDayUsage,
    getLedger,
    grantOutageCredit,
  ],
  does: [grantOutageCredits],
  emits: [creditsGranted],
  hears: [accountCreated, accountStatusChanged],
  projects: [balances],
  wakes: { 'forget-usage-batches': { everySeconds: 3_600 }, 'seal-entries': { everySeconds: 60 } },
});

export type Surface = typeof surface;
