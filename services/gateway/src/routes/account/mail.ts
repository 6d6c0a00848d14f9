import { creditsLedger, identity, payers, personOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { mailStoppedHtml, stopMailHtml } from '@tds/site';
import { createAnswers, onRoute } from '../serve/index.ts';
import { htmlAnswer } from './html-answer.ts';

/** The ledger has the threshold, which is the account's; identity the rest, which is the person's. */
const changeMailSettings = onRoute(routes.changeMailSettings, async ({ call }, input) => {
  const { principal, body, callContext } = input;
  const { accountId, role = 'owner' } = principal;
  const { low_balance_threshold: threshold, ...choices } = body;
  if (threshold !== undefined && !payers.includes(role))
    throw serviceError('role_required', {
      message: 'Only owners and billing change low_balance_threshold, which is of the account.',
    });
  const person = { accountId, personId: personOf(principal) };
  const mail = await call(identity.changeMailChoices, { ...person, choices }, callContext);
  if (threshold !== undefined)
    await call(creditsLedger.setMailThreshold, { accountId, threshold }, callContext);
  const { mailThreshold } = await call(creditsLedger.getBalance, { accountId }, callContext);
  return createAnswers(routes.changeMailSettings).json({
    mail: { ...mail, low_balance_threshold: mailThreshold },
  });
});

const showMailStop = onRoute(routes.showMailStop, (_deps, { query: { link: token } }) =>
  htmlAnswer(routes.showMailStop, stopMailHtml(token)),
);

const stopMail = onRoute(routes.stopMail, async ({ call }, { query: { link: token }, callContext }) => {
  await call(identity.stopEventMails, { token }, callContext);
  return htmlAnswer(routes.stopMail, mailStoppedHtml(token));
});

export const mailRoutes = { changeMailSettings, showMailStop, stopMail };
