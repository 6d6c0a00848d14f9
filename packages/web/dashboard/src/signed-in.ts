/** This browser is signed in: the other pages, which see no session, then lead to the dashboard instead of offering a key. */
const NAME = 'signed-in';

export const rememberSignIn = (): void => localStorage.setItem(NAME, '1');
export const forgetSignIn = (): void => localStorage.removeItem(NAME);
