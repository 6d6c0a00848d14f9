import type { Installation } from '#support';

/** A system that was started to be tested. */
export type Installed = { readonly installation: Installation; stop(): Promise<void> };

export type StartOptions = {
  /** Where its secrets and data are while it runs. */
  readonly dir: string;
};
