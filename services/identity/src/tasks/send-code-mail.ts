import { identity } from '@tds/contracts';
import { crashPoint, onTask } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { codeMail } from '../domain/code-mail.ts';
import { deriveSignInCode } from '../domain/sign-in-code.ts';
import { findUnsentChallenge, markMailed } from '../store/sign-in-addresses.ts';

/**
 * Mails the code of a challenge that is still live. A crash between the mail server's yes and the commit sends the same
 * mail again, under the same message id; nothing else does.
 */
export const sendCodeMail = onTask(identity.sendCodeMail, async (deps: Deps, { challengeId }, context) => {
  const challenge = await findUnsentChallenge(deps.db, challengeId, deps.now());
  if (challenge) {
    const { email } = challenge;
    const code = deriveSignInCode(deps.vault.codeKey, { challengeId, email });
    context.record.add({ mail: await deps.mailer.send({ to: email, id: challengeId, ...codeMail(code) }) });
  }
  crashPoint('code-mailed');
  await deps.db.$transaction(async (tx) => {
    await markMailed(tx, challengeId, deps.now());
    await context.complete(tx);
  });
});
