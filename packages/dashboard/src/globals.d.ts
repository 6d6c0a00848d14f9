declare module '*.css';
/** The table of codes; the build puts it in place. */
declare const REMEDIES: import('./words.ts').Remedies;
