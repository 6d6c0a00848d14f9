import { CREDIT_BLOCKS, newAccountLimits } from '@tds/contracts';
import { errorCodeDefinition } from '@tds/errors';
import { type Route, routeErrors, routes } from '@tds/http-api';
import escapeHtml from 'escape-html';
import { firstRequest } from './facts.ts';
import { layout } from './layout.ts';
import { codeHtml, markdownHtml } from './markdown.ts';
import { createPage, type SitePage } from './page.ts';
import { pageWords } from './page-words.ts';

const field = (name: string, label: string, attributes: string): string =>
  `<p class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" ${attributes}></p>`;

/** What a form's script says about each code of the routes that it calls. */
const remedies = (...rows: readonly Route[]): string =>
  escapeHtml(
    JSON.stringify(
      Object.fromEntries(
        rows
          .flatMap(routeErrors)
          .map((code) => [code, { ...pageWords(code), waits: errorCodeDefinition(code).waitingHelps }]),
      ),
    ),
  );

const withoutScript = (text: string): string => `<noscript><p class="notice">${text}</p></noscript>`;

const verifyCommands = (publicUrl: string): string => `curl -X POST -H "Content-Type: application/json" \\
  -d '{"email": "you@example.com"}' "${publicUrl}${routes.requestCode.path}"

curl -X POST -H "Content-Type: application/json" \\
  -d '{"email": "you@example.com", "code": "123456", "accept_terms": true}' \\
  "${publicUrl}${routes.verifyCode.path}"`;

const SIGN_IN = 'Sign in with an email address, and get the first key.';

/** /signin: an address, the code from the mail, and the first key, which is shown once. */
export const signInPage = (publicUrl: string): SitePage =>
  createPage({ path: '/signin', title: 'Sign in', description: SIGN_IN }, () => ({
    kind: 'narrow',
    markdown: `# Sign in\n\n\`\`\`sh\n${verifyCommands(publicUrl)}\n\`\`\`\n`,
    body: `<h1>Sign in</h1><p class="soft">A new address gets an account with free credits and its first key.</p>
${withoutScript('This form needs scripts. The requests below do the same.')}
<div id="signin" data-request="${escapeHtml(firstRequest(publicUrl))}" data-remedies="${remedies(routes.requestCode, routes.verifyCode)}" hidden><div class="failure" role="alert" hidden></div>
<form class="card" data-step="email">${field('email', 'Email address', 'type="email" autocomplete="email" required')}
<button class="button first">Send a code</button></form>
<form class="card" data-step="code" hidden><p>A code is on its way to <b data-email></b>. It works for ten minutes.</p>
${field('code', 'Code of six digits', 'inputmode="numeric" autocomplete="one-time-code" required')}
<p class="check" data-terms><input id="terms" name="terms" type="checkbox" required> <label for="terms">I accept the <a href="/terms">terms</a></label></p>
<p class="soft" data-terms hidden>By signing in you accept the <a href="/terms">terms</a>.</p>
<button class="button first">Sign in</button> <button class="button" type="button" data-again>Send again</button>
<button class="button" type="button" data-back>Another address</button><p class="soft" role="status" data-sent></p></form>
<div class="card" data-step="key" hidden tabindex="-1"><h2>Your first key</h2>
<p>It is shown this once: copy it now, and keep it where your secrets are.</p>
${codeHtml(' ', 'Your key')}
<p>With it, this request costs 1 credit, and 0 if you repeat it:</p>
${codeHtml(' ', 'Your first request')}
<p class="actions"><a class="button first" href="/dashboard" data-go-on>I have copied it: to the dashboard</a> <a class="button" href="/docs/curl">Quick start</a></p></div></div>
<div data-terminal><h2>From a terminal</h2>${codeHtml(verifyCommands(publicUrl), 'curl')}</div>`,
  }));

const buyCommand = (
  publicUrl: string,
): string => `curl -X POST -H "Authorization: Bearer $TRANSCRIPTS_API_KEY" \\
  -H "Content-Type: application/json" -d '{"block": ${CREDIT_BLOCKS[1]}}' "${publicUrl}${routes.checkout.path}"`;

const blockRow = (block: number): string =>
  `<p class="choice"><input type="radio" id="block-${block}" name="block" value="${block}" required> <label for="block-${block}">${block.toLocaleString('en-US')} credits</label> <span class="soft" data-price="${block}"></span></p>`;

const BUY = 'Blocks of credits and their prices.';

/** /buy, to which `buy_url` leads browsers. */
export const buyPage = (publicUrl: string): SitePage =>
  createPage({ path: '/buy', title: 'Buy credits', description: BUY }, () => ({
    kind: 'narrow',
    markdown: `# Buy credits\n\nBlocks of ${CREDIT_BLOCKS.join(', ')} credits. \`GET ${routes.listPrices.path}\` answers their prices; the answer of this request has the address of the page on which you pay:\n\n\`\`\`sh\n${buyCommand(publicUrl)}\n\`\`\`\n`,
    body: `<h1>Buy credits</h1><p class="soft">A new transcript costs 1 credit. Bought credits do not end, and an untouched block can be given back.
An account younger than ${newAccountLimits.days} days fetches ${newAccountLimits.coldFetchesPerDay} new transcripts a day, also with bought credits; jobs go on by themselves the next day.</p>
${withoutScript(`This form needs scripts. <a href="${routes.listPrices.path}">The prices</a> and the request below do the same.`)}
<div id="buy" data-remedies="${remedies(routes.listPrices, routes.checkout)}" hidden><div class="failure" role="alert" hidden></div>
<form class="card"><fieldset><legend>Block</legend>${CREDIT_BLOCKS.map(blockRow).join('')}</fieldset>
${field('email', 'Email address of the account', 'type="email" autocomplete="email" required')}
<button class="button first">Go to payment</button></form></div>
<h2>From a terminal</h2>${codeHtml(buyCommand(publicUrl), 'curl')}`,
  }));

/** An app has opened this page with a request that leads nowhere. `reason` is the protocol's word for it. */
export const connectFailedHtml = (reason: string): string => {
  const title = 'The app could not be connected';
  const body = `<h1>${title}</h1><p>Its request was refused: ${escapeHtml(reason)}. Go back to the app and begin again. If this page comes again, remove the connector in the app and add it again: the app may keep a registration that is not known here any more.</p>`;
  return layout({ path: '/oauth', title, description: title, body, kind: 'prose' });
};

const PAID = 'Thank you';

const paidContent = () => {
  const markdown = `# ${PAID}

Your payment is on its way to us. The credits are in your account within seconds; a job that had to wait for them goes on by itself.

- [Billing](/dashboard/billing) shows the purchase with its receipt, and gives an untouched block back.
- [New job](/dashboard/jobs/new) fetches the transcripts of a channel, a playlist or a list.

If you bought for an email address without being signed in, its owner signs in and accepts the purchase under [Billing](/dashboard/billing). If it is not accepted
within 90 days, the money goes back.
`;
  const balance =
    '<div id="paid" class="card" role="status" hidden><p>Waiting for the payment…</p><p hidden>You have <b data-balance></b> credits.</p></div>';
  const [heading = '', ...rest] = markdownHtml(markdown)
    .replace('<p>If you bought', '<p data-signed-out>If you bought')
    .split('</h1>');
  const body = `${heading}</h1>${balance}${rest.join('</h1>')}`;
  return { markdown, body, kind: 'prose' };
};

/** The payment processor redirects buyers here. */
export const paidPage = (): SitePage =>
  createPage({ path: '/checkout/success', title: PAID, description: PAID }, paidContent);

/** For an address that has no page. */
export const missingPageHtml = (): string => {
  const title = 'There is no such page';
  const body = markdownHtml(
    `# ${title}\n\nThe address is mistyped, or the page is gone. Go to the [start](/), the [docs](/docs), the [API reference](/reference) or the [dashboard](/dashboard).`,
  );
  return layout({ path: '/404', title, description: title, body, kind: 'prose' });
};

/** The payment processor redirects buyers who went back here; the page of a route has no twin. */
export const cancelledPageHtml = (isClosed: boolean): string => {
  const [title, text] = isClosed
    ? [
        'Nothing was paid',
        'You left the page without paying. It is closed, and nothing was charged. [Buy credits](/buy) opens another one.',
      ]
    : [
        'This page is not open',
        'There is no open page to close here: it is unknown, or paid. [Billing](/dashboard/billing) shows what you have bought.',
      ];
  const body = markdownHtml(`# ${title}\n\n${text}`);
  return layout({ path: routes.cancelCheckout.path, title, description: title, body, kind: 'prose' });
};

/** What the token of a link in a mail ends, by its first letter, which identity writes: one monitor or job, invitations, or else all of these mails. */
const stops = {
  i: {
    title: 'Stop invitations to this address?',
    what: 'No account can invite this address any more. Those that have come stay valid until they end.',
    done: ['You get no more invitations', 'Support can allow them again.'],
  },
  w: {
    title: 'Stop the mails about this one?',
    what: 'Mails about other monitors and jobs still come, and those that say that it has stopped.',
    done: [
      'You get no more mails about this one',
      'Its page in the [dashboard](/dashboard/monitors) brings them back.',
    ],
  },
  e: {
    title: 'Stop the mails about monitors and jobs?',
    what: 'Mails about your account itself still come, such as of new keys. To choose for each monitor, open it in the <a href="/dashboard/monitors">dashboard</a>.',
    done: [
      'You get no more mails about monitors and jobs',
      'The [settings](/dashboard/settings) bring them back.',
    ],
  },
} as const;
const stopOf = (token: string) => stops[token.startsWith('i.') ? 'i' : token.startsWith('w.') ? 'w' : 'e'];

/** Links in mails lead here: a person presses the button, a program that only opens links ends nothing. `token` is safe in an address. */
export const stopMailHtml = (token: string): string => {
  const { path } = routes.stopMail;
  const { title, what } = stopOf(token);
  const body = `<h1>${title}</h1><p>${what}</p>
<form method="post" action="${path}?link=${token}"><button class="button first">Stop them</button></form>`;
  return layout({ path, title, description: title, body, kind: 'prose' });
};

export const mailStoppedHtml = (token: string): string => {
  const [title, text] = stopOf(token).done;
  const body = markdownHtml(`# ${title}\n\n${text}`);
  return layout({ path: routes.stopMail.path, title, description: title, body, kind: 'prose' });
};
