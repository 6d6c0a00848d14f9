import {
  accountStatusChanged,
  authenticateKey,
  authenticateSession,
  closeAccount,
  createKey,
  defineSurface,
  endSession,
  getAccount,
  getBalance,
  getDayUsage,
  getTranscript,
  getVideoFacts,
  keyRevoked,
  listKeys,
  pollRequest,
  requestCode,
  revokeKey,
  rotateKey,
  updateKey,
  verifyCode,
} from '@tds/contracts';

/** HTTP outside, commands inside. It owns no data and answers nothing on the bus. */
export const surface = defineSurface({
  name: 'gateway',
  watches: [keyRevoked, accountStatusChanged],
  calls: [
    requestCode,
    verifyCode,
    endSession,
    authenticateKey,
    authenticateSession,
    listKeys,
    createKey,
    updateKey,
    revokeKey,
    rotateKey,
    getAccount,
    closeAccount,
    getBalance,
    getDayUsage,
    getTranscript,
    pollRequest,
    getVideoFacts,
  ],
});

export type GatewaySurface = typeof surface;
