import type { ObjectRights } from './object-rights.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * What the store hides from a service that should see it. Each question looks anew, and is answered with what the look before
 * has found: a store that is away or slow makes nobody wait, and refuses nothing.
 */
export const watchHidden = async (
  store: Pick<ObjectStore, 'hidden'>,
  { writes, reads }: ObjectRights,
): Promise<() => readonly string[]> => {
  let refusals: readonly string[] = [];
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const hidden = await store.hidden([...writes, ...reads]).catch(() => []);
    refusals = hidden.map((prefix) => `the object store shows nothing of ${prefix} to this service's role`);
    looking = null;
  };
  const lookOnce = (): Promise<void> => {
    looking ??= look();
    return looking;
  };
  await lookOnce();
  return () => {
    void lookOnce();
    return refusals;
  };
};
