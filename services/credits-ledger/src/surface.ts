import {
  accountCreated,
  accountStatusChanged,
  balances,
  creditsGranted,
  defineSurface,
  getBalance,
  releaseReservation,
  reserveCredits,
  settleReservation,
} from '@tds/contracts';

export const surface = defineSurface({
  name: 'credits-ledger',
  answers: [reserveCredits, settleReservation, releaseReservation, getBalance],
  emits: [creditsGranted],
  hears: [accountCreated, accountStatusChanged],
  projects: [balances],
});

export type Surface = typeof surface;
