declare module '*.css';
/** The table of codes and the events of webhooks; the build puts them in place. */
declare const REMEDIES: import('./words.ts').Remedies;
declare const DELIVERY_EVENTS: readonly import('@transcript-delivery/sdk').Delivery['event'][];
