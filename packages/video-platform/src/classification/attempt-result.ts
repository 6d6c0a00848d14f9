import type { Refusal } from './refusal.ts';

/** What became of one request to the platform. */
export type Attempt<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The caller, or the call's own deadline, ended it: nobody's failure. */
  | { readonly kind: 'cancelled' };
