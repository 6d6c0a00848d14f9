/** Bytes that are too long to be written down: `unit` again and again. */
export type Long = { readonly unit: string; readonly times: number };

/**
 * One generated request as its seed makes it. `{{key}}` and the like stand for the credentials of the run's callers, so
 * that the same seed and index are the same request against every system.
 */
export type FuzzRequest = {
  /** The row of the table that it is aimed at. */
  readonly route: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Long | null;
  /** How it is bent on the wire; null where it goes through an ordinary client. */
  readonly twist: string | null;
};

export const bodyText = (body: string | Long): string =>
  typeof body === 'string' ? body : body.unit.repeat(body.times);

/** Never stored and never shown: whatever log, message or refusal holds it has kept too much. */
export const CANARY = 'canary-7f3a91c2e5';
