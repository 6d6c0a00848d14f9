import {
  defineSurface,
  disownRequest,
  fetchTrack,
  getTranscript,
  getVideoFacts,
  operationEnded,
  pollRequest,
  refundCharge,
  releaseReservation,
  renderedFiles,
  renderedTranscripts,
  reserveCredits,
  settleOperation,
  settleReservation,
  strategyObserved,
  transcriptFailed,
  transcriptFetched,
} from '@tds/contracts';

export const surface = defineSurface({
  name: 'transcript-fetcher',
  answers: [getTranscript, pollRequest, disownRequest, getVideoFacts],
  does: [fetchTrack, settleOperation],
  emits: [operationEnded, transcriptFetched, transcriptFailed, strategyObserved],
  watches: [operationEnded],
  calls: [reserveCredits, settleReservation, releaseReservation, refundCharge],
  projects: [renderedTranscripts, renderedFiles],
  wakes: {
    'end-abandoned-operations': { everySeconds: 5 },
    'observe-strategies': { everySeconds: 60 },
    'purge-old-operations': { everySeconds: 3_600 },
  },
});
