import { creditsLedger, defineSurface, gateway, identity, search, transcriptFetcher } from '@tds/contracts';

/** HTTP outside, commands inside. It owns no data and gives nothing on the bus. */
export const surface = defineSurface(gateway, {
  calls: [
    identity.requestCode,
    identity.verifyCode,
    identity.endSession,
    identity.listSessions,
    identity.endSessions,
    identity.authenticateKey,
    identity.authenticateSession,
    identity.listKeys,
    identity.createKey,
    identity.updateKey,
    identity.revokeKey,
    identity.rotateKey,
    identity.getAccount,
    identity.closeAccount,
    creditsLedger.getBalance,
    creditsLedger.getDayUsage,
    creditsLedger.getUsage,
    creditsLedger.getLedger,
    creditsLedger.recordUsage,
    transcriptFetcher.getTranscript,
    transcriptFetcher.pollRequest,
    transcriptFetcher.disownRequest,
    transcriptFetcher.getVideoFacts,
    search.listVideos,
    search.resolveVideos,
    search.searchPage,
    search.disownSearch,
  ],
  broadcasts: [identity.keyRevoked, identity.keyChanged, identity.accountStatusChanged],
  reads: [
    identity.principal,
    identity.principalsFresh,
    creditsLedger.balance,
    transcriptFetcher.renderedSelection,
    transcriptFetcher.renderedFile,
  ],
});

export type Surface = typeof surface;
