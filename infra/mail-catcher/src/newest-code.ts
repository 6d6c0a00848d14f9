type Mail = { readonly text: string; readonly receivedAt: string };

/** The newest sign-in code that was mailed to an address since then; null where none has come yet. `mailbox` is the catcher's own URL. */
export const newestCode = async (
  mailbox: string,
  email: string,
  since = new Date(0),
): Promise<string | null> => {
  const answer = await fetch(`${mailbox}/messages?to=${encodeURIComponent(email)}`);
  const mails = ((await answer.json()) as Mail[]).filter(({ receivedAt }) => new Date(receivedAt) >= since);
  const [newest = null] = mails.flatMap(({ text }) => text.match(/^\d{6}$/m) ?? []);
  return newest;
};
