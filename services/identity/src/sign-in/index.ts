export { createDeviceProof } from './device-proof.ts';
export { uncountedGuess } from './guesses.ts';
export { endTheseSessions, openSession, requireSession } from './sessions.ts';
export { isDisposable } from './sign-in.ts';
export { deleteSessionsOfAccount, findLiveSession } from './store/sessions.ts';
