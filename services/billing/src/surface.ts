import { billing, creditsLedger, defineSurface, identity } from '@tds/contracts';

export const surface = defineSurface(billing, {
  calls: [
    creditsLedger.grantPurchases,
    creditsLedger.takeBackBlock,
    creditsLedger.correctBlock,
    creditsLedger.lookUpGrants,
    creditsLedger.listGrants,
    creditsLedger.getSpending,
    creditsLedger.lookUpRefills,
    identity.spellAddress,
    identity.admitAddress,
    identity.isAddressClosed,
    identity.listAccountsOfMailbox,
    identity.getAccount,
    identity.listPeople,
  ],
  subscriptions: [identity.accountStatusChanged, identity.personChanged, creditsLedger.balanceRanLowForRefill],
  outside: ['processor'],
  schedules: {
    reconcileEvents: { everySeconds: 60 },
    reconcilePurchases: { everySeconds: 60 },
    reconcileAllPurchases: { everySeconds: 3_600 },
    refillLowAccounts: { everySeconds: 60 },
    expireCheckouts: { everySeconds: 60 },
    returnUnaccepted: { everySeconds: 3_600 },
    purgeOldRows: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
