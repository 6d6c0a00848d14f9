import { creditsLedger } from '@tds/credits-ledger';
import { gateway } from '@tds/gateway';
import { identity } from '@tds/identity';
import { transcriptFetcher } from '@tds/transcript-fetcher';

/** Every service that a local run starts, callees first. */
export const services = [creditsLedger, identity, transcriptFetcher, gateway] as const;

export const serviceNames = services.map(({ surface }) => surface.name);
/** Those with tables of their own; the gateway is stateless. */
export const storedServiceNames = serviceNames.filter((name) => name !== 'gateway');
