import { billing, creditsLedger, defineSurface, identity, status, webhookDispatcher } from '@tds/contracts';

export const surface = defineSurface(creditsLedger, {
  subscriptions: [
    identity.accountCreated,
    identity.accountStatusChanged,
    identity.keyCreated,
    identity.personChanged,
    status.outageDayEvaluated,
    webhookDispatcher.webhookConfigured,
    webhookDispatcher.webhookRemoved,
    billing.refillChanged,
  ],
  schedules: {
    forgetRequests: { everySeconds: 3_600 },
    forgetUsageBatches: { everySeconds: 3_600 },
    openMonths: { everySeconds: 3_600 },
    sealEntries: { everySeconds: 60 },
  },
});

export type Surface = typeof surface;
