import { defineService } from '@tds/kit';
import * as onOwnLostEvents from './application/retake-lost-events.ts';
import {
  admitAddress,
  closeAccount,
  getAccount,
  isAddressClosed,
  listAccountsOfMailbox,
  spellAddress,
} from './commands/accounts.ts';
import { createConnection, endConnection, listConnections } from './commands/connections.ts';
import { authenticateKey, authenticateSession, getKeyPhase } from './commands/credentials.ts';
import { createDashboardKey } from './commands/dashboard-key.ts';
import {
  deleteGrantRecord,
  endGrant,
  findGrantRecord,
  issueTokens,
  saveGrantRecord,
} from './commands/grant-records.ts';
import { createKey, listKeys, revokeKey, updateKey } from './commands/keys.ts';
import { rotateKey } from './commands/rotate-key.ts';
import { endSession, endSessions, listSessions } from './commands/sessions.ts';
import { requestCode, verifyCode } from './commands/sign-in.ts';
import { createDeps } from './create-deps.ts';
import {
  accountStatusChanged,
  accountTierChanged,
  balanceRanLowForMail,
  customerChanged,
  jobCompleted,
  jobFailed,
  jobPaused,
  keyCreated,
  monitorPaused,
  webhookChanged,
  webhookDisabled,
} from './listeners.ts';
import { purgeExpired, refreshPrincipals, tellEndedKeys } from './schedules.ts';
import { surface } from './surface.ts';
import { sendCodeMail, sendNotice, sendWebhookNotice } from './tasks.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    requestCode,
    verifyCode,
    endSession,
    listSessions,
    endSessions,
    authenticateKey,
    authenticateSession,
    listKeys,
    createKey,
    createDashboardKey,
    updateKey,
    revokeKey,
    rotateKey,
    getKeyPhase,
    listConnections,
    createConnection,
    endConnection,
    saveGrantRecord,
    findGrantRecord,
    issueTokens,
    deleteGrantRecord,
    endGrant,
    getAccount,
    closeAccount,
    spellAddress,
    admitAddress,
    isAddressClosed,
    listAccountsOfMailbox,
  },
  tasks: { sendCodeMail, sendNotice, sendWebhookNotice },
  subscriptions: {
    accountStatusChanged,
    accountTierChanged,
    balanceRanLowForMail,
    customerChanged,
    jobCompleted,
    jobFailed,
    jobPaused,
    keyCreated,
    monitorPaused,
    webhookChanged,
    webhookDisabled,
  },
  onOwnLostEvents,
  schedules: { refreshPrincipals, tellEndedKeys, purgeExpired },
});
