export { createDeviceProof } from './device-proof.ts';
export { countedGuess } from './guesses.ts';
export { endTheseSessions, openSession, requireSession } from './sessions.ts';
export { isDisposable } from './sign-in.ts';
export { deleteSessionsOfAccount } from './store/sessions.ts';
