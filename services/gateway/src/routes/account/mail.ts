import { creditsLedger, identity } from '@tds/contracts';
import { routes } from '@tds/http-api';
import { mailStoppedHtml, stopMailHtml } from '@tds/site';
import { pageHeaders } from '../../pages/index.ts';
import { createAnswers, onRoute, type RouteDeps } from '../serve/index.ts';

/** The ledger has the threshold, identity the rest. */
const changeMailSettings = onRoute(
  routes.changeMailSettings,
  async ({ call }: Pick<RouteDeps, 'call'>, { principal: { accountId }, body, callContext }) => {
    const { low_balance_threshold: threshold, ...choices } = body;
    const mail = await call(identity.changeMailChoices, { accountId, choices }, callContext);
    if (threshold !== undefined)
      await call(creditsLedger.setMailThreshold, { accountId, threshold }, callContext);
    const { mailThreshold } = await call(creditsLedger.getBalance, { accountId }, callContext);
    return createAnswers(routes.changeMailSettings).json({
      mail: { ...mail, low_balance_threshold: mailThreshold },
    });
  },
);

const HTML_TYPE = 'text/html; charset=utf-8';

const showMailStop = onRoute(routes.showMailStop, (_deps: object, { query: { link: token } }) => ({
  ...createAnswers(routes.showMailStop).composed(HTML_TYPE, stopMailHtml(token)),
  headers: pageHeaders,
}));

const stopMail = onRoute(
  routes.stopMail,
  async ({ call }: Pick<RouteDeps, 'call'>, { query: { link: token }, callContext }) => {
    await call(identity.stopEventMails, { token }, callContext);
    return { ...createAnswers(routes.stopMail).composed(HTML_TYPE, mailStoppedHtml), headers: pageHeaders };
  },
);

export const mailRoutes = { changeMailSettings, showMailStop, stopMail };
