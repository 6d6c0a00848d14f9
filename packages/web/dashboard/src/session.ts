/** This browser is signed in: the other pages, which see no session, then lead to the dashboard instead of offering a key. */
const MARK = 'signed-in';

/** The tabs of a browser share its session. Each says whose it has found; null says that one has left it. */
const tabs = new BroadcastChannel('session');

/** Marks the browser as signed in, and follows what other tabs do with the session. Returns the end of that. */
export const followSession = (accountId: string): (() => void) => {
  const follow = ({ data }: MessageEvent<string | null>) => {
    if (data === null) location.replace('/signin');
    // Otherwise this tab shows one account, and acts for another.
    else if (data !== accountId) location.reload();
  };
  localStorage.setItem(MARK, '1');
  tabs.addEventListener('message', follow);
  tabs.postMessage(accountId);
  return () => tabs.removeEventListener('message', follow);
};

/** The session was found ended. Other tabs keep what was entered in them. */
export const forgetSession = (): void => localStorage.removeItem(MARK);

/** The customer has left the session: no tab shows the account any more. */
export const leaveSession = (address: string): void => {
  forgetSession();
  tabs.postMessage(null);
  location.replace(address);
};
