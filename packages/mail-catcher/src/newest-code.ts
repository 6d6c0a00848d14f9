type Mail = { readonly text: string; readonly receivedAt: string };

/** The sign-in code of the newest mail to an address since then; null where none has come yet. `mailbox` is the catcher's own URL. */
export const newestCode = async (
  mailbox: string,
  email: string,
  since = new Date(0),
): Promise<string | null> => {
  const answer = await fetch(`${mailbox}/messages?to=${encodeURIComponent(email)}`);
  const newest = ((await answer.json()) as Mail[]).find(({ receivedAt }) => new Date(receivedAt) >= since);
  return newest?.text.match(/\b\d{6}\b/)?.[0] ?? null;
};
