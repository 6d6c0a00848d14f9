import {
  accountStatusChanged,
  authenticateKey,
  authenticateSession,
  defineSurface,
  endSession,
  getBalance,
  getTranscript,
  getVideoFacts,
  keyRevoked,
  pollRequest,
  requestCode,
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
    getBalance,
    getTranscript,
    pollRequest,
    getVideoFacts,
  ],
});

export type GatewaySurface = typeof surface;
