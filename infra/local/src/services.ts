/** A run with one process for each service never loads one itself: it would hold all of them for nothing. */
const sources = {
  'credits-ledger': async () => (await import('@tds/credits-ledger')).creditsLedger,
  identity: async () => (await import('@tds/identity')).identity,
  'transcript-fetcher': async () => (await import('@tds/transcript-fetcher')).transcriptFetcher,
  gateway: async () => (await import('@tds/gateway')).gateway,
};

/** Every service that a local run starts, callees first. */
export const serviceNames = Object.keys(sources);
/** Those with tables of their own; the gateway is stateless. */
export const storedServiceNames = serviceNames.filter((name) => name !== 'gateway');

/** The services themselves, in the same order. */
export const loadServices = () => Promise.all(Object.values(sources).map((load) => load()));
