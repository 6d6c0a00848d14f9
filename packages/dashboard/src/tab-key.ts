import { useSyncExternalStore } from 'react';

/** A key that this tab sends for what no session may do. It stands in memory only, and a reload forgets it. */
let key: string | null = null;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const setTabKey = (next: string | null): void => {
  key = next;
  for (const listener of listeners) listener();
};

export const useTabKey = (): string | null => useSyncExternalStore(subscribe, () => key);

const SHOWN_CHARACTERS = 12;
/** The part of a key that may be shown. */
export const prefixOf = (secret: string): string => `${secret.slice(0, SHOWN_CHARACTERS)}…`;

/** svc_live_ and what follows; spaces around a pasted key are left out. */
export const isKey = (text: string): boolean => /^svc_live_\S{8,}$/.test(text.trim());
