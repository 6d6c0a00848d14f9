import { useState } from 'react';

/** Text of a form, kept by the tab until it was sent: neither a step to another page nor Escape loses it. */
export const useDraft = (name: string) => {
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? '');
  const change = (next: string): void => {
    setText(next);
    sessionStorage.setItem(name, next);
  };
  return [text, change] as const;
};

export const forgetDrafts = (...names: readonly string[]): void => {
  for (const name of names) sessionStorage.removeItem(name);
};
