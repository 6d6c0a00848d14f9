// The theme, copy buttons, the language of samples, the filter of the reference, sign-in and buying. Pages are readable without it.
const theme = localStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// The dashboard sets this mark while the browser is signed in.
if (localStorage.getItem('signed-in'))
  for (const link of all('[data-get-key]'))
    Object.assign(link, { href: '/dashboard', textContent: 'Open the dashboard' });

for (const block of all('.code, .samples details')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  (block.querySelector('figcaption') ?? block).append(button);
}

// Each heading leads to itself, so that its address can be copied.
for (const heading of all('main :is(h2, h3)')) {
  const id = heading.id || heading.closest('section[id]')?.id;
  if (!id || heading.querySelector('a')) continue;
  const link = Object.assign(document.createElement('a'), { className: 'to-itself', href: `#${id}` });
  link.append(...heading.childNodes);
  heading.append(link);
}

const choose = (language) => {
  for (const one of all(`details[data-language="${CSS.escape(language)}"]`)) one.open = true;
};
for (const summary of all('.samples summary')) {
  summary.addEventListener('click', () => {
    const { language } = summary.parentElement.dataset;
    const { top } = summary.getBoundingClientRect();
    localStorage.setItem('language', language);
    // Other samples change their height too: what was clicked stays in its place.
    setTimeout(() => {
      choose(language);
      window.scrollBy(0, summary.getBoundingClientRect().top - top);
    });
  });
}
choose(localStorage.getItem('language') ?? 'curl');

const find = document.querySelector('#find');
if (find) {
  find.closest('[hidden]').hidden = false;
  find.addEventListener('input', () => {
    const wanted = find.value.toLowerCase();
    for (const item of all('[data-operations] li'))
      item.hidden = !`${item.textContent} ${item.firstElementChild.title}`.toLowerCase().includes(wanted);
  });
}

const unreachable = {
  message: 'The service cannot be reached. What you entered is still here.',
  code: 'service_unavailable',
};

/** The answer of the API. Throws the envelope of an error. */
const send = async (path, body) => {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response?.ok || !answer) throw answer ?? unreachable;
  return answer;
};

const element = (name, text, more = {}) =>
  Object.assign(document.createElement(name), { textContent: text, ...more });

/** What happened and what to do, when, and behind a press the code and the id that support asks for. */
const showFailure = (root, { message, code, request_id: request, retry_after: seconds }) => {
  const failure = root.querySelector('.failure');
  const { what = message, remedy, waits } = JSON.parse(root.dataset.remedies)[code] ?? {};
  const wait =
    waits && seconds
      ? `Try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`
      : '';
  const note = element('p', '', { className: 'soft' });
  note.append(element('a', code, { href: `/docs/errors#${code}` }), ' ');
  if (request) note.append(element('code', request));
  const details = element('details', '');
  details.append(element('summary', 'Details'), note);
  const lines = [what, remedy, wait].filter(Boolean).map((line) => element('p', line));
  failure.replaceChildren(...lines, details);
  failure.hidden = false;
};

/** Does what a button is for. Shows an error, keeps the input, and lets the button be pressed again. */
const attempt = async (root, button, work) => {
  button.disabled = true;
  root.querySelector('.failure').hidden = true;
  try {
    await work();
  } catch (error) {
    showFailure(root, error);
  }
  button.disabled = false;
};

const onSubmit = (form, work) => {
  const root = form.parentElement;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    return attempt(root, form.querySelector('button'), () => work(new FormData(form)));
  });
};

/** A code as people paste it: with spaces, dashes or invisible signs, or in full width. */
const plainCode = (text) => text.normalize('NFKC').replaceAll(/[\s\p{Cf}\p{Pd}]/gu, '');

/** The view that asked for a sign-in: of this site, and of the dashboard. */
const viewOf = (to) => {
  const { origin, pathname, search } = new URL(URL.canParse(to, location.origin) ? to : '/', location.origin);
  return origin === location.origin && /^\/dashboard(?:\/|$)/.test(pathname) ? pathname + search : '/dashboard';
};

const signin = document.querySelector('#signin');
if (signin) {
  const steps = all('[data-step]', signin);
  const show = (name) => {
    for (const step of steps) step.hidden = step.dataset.step !== name;
    const shown = steps.find((step) => !step.hidden);
    (shown.querySelector('input') ?? shown).focus();
  };
  let email = '';
  const goOn = viewOf(new URLSearchParams(location.search).get('to') ?? '');
  const [terms, accepted] = all('[data-terms]', signin);
  // Who has accepted the terms in this browser reads that, and is not asked again.
  const hasAccepted = localStorage.getItem('terms') !== null;
  terms.hidden = hasAccepted;
  terms.querySelector('input').required = !hasAccepted;
  accepted.hidden = !hasAccepted;
  signin.querySelector('[data-go-on]').href = goOn;
  signin.hidden = false;
  steps[0].querySelector('input').focus();
  onSubmit(steps[0], async (fields) => {
    email = fields.get('email');
    await send('/v1/auth/code', { email });
    signin.querySelector('[data-email]').textContent = email;
    signin.querySelector('[data-sent]').textContent = '';
    show('code');
  });
  const again = signin.querySelector('[data-again]');
  again.addEventListener('click', () =>
    attempt(signin, again, async () => {
      await send('/v1/auth/code', { email });
      signin.querySelector('[data-sent]').textContent =
        'Another code is on its way. Only the newest one works.';
      again.disabled = false;
      again.focus();
    }),
  );
  signin.querySelector('[data-back]').addEventListener('click', () => show('email'));
  onSubmit(steps[1], async (fields) => {
    const code = plainCode(fields.get('code'));
    const { key } = await send('/v1/auth/verify', {
      ...{ email, code, accept_terms: true },
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    localStorage.setItem('terms', 'accepted');
    // Who came to read something needs no key; it stands under Access.
    if (!key || /^\/dashboard\/(?!keys)/.test(goOn)) {
      location.replace(goOn);
      return;
    }
    const [secret, request] = all('code', steps[2]);
    secret.textContent = key.secret;
    request.textContent = signin.dataset.request.replace('$TRANSCRIPTS_API_KEY', key.secret);
    document.querySelector('[data-terminal]').hidden = true;
    show('key');
  });
}

const showPrices = ({ currency, blocks }) => {
  const price = new Intl.NumberFormat('en', { style: 'currency', currency });
  // Amounts are in the smallest unit of the currency.
  const unit = 10 ** price.resolvedOptions().maximumFractionDigits;
  for (const { block, amount } of blocks)
    for (const place of all(`[data-price="${block}"]`)) {
      place.textContent = price.format(amount / unit);
      place.closest('[hidden]')?.removeAttribute('hidden');
    }
};

const buy = document.querySelector('#buy');
if (buy) {
  const show = () => {
    buy.hidden = false;
  };
  // Who is signed in buys under Billing, and is not asked for an address. The mark may be left over from a session that has ended.
  if (localStorage.getItem('signed-in'))
    send('/v1/account').then(() => location.replace('/dashboard/billing'), show);
  else show();
}
// Where a page only mentions a price, the sentence stays hidden if there is none.
if (document.querySelector('[data-price]'))
  send('/v1/checkout').then(showPrices, (error) => buy && showFailure(buy, error));
if (buy) {
  onSubmit(buy.querySelector('form'), async (fields) => {
    const body = { block: Number(fields.get('block')), email: fields.get('email') };
    location.assign((await send('/v1/checkout', body)).checkout_url);
  });
}

const paid = document.querySelector('#paid');
if (paid) {
  const POLLS = 20;
  const [waiting, balance] = all('p', paid);
  const showBalance = async (polls) => {
    const { purchases } = await send('/v1/billing/purchases?limit=1');
    // The payment may arrive some seconds after the buyer.
    const isWaiting = ['open', 'processing'].includes(purchases[0]?.status);
    document.querySelector('[data-signed-out]').hidden = true;
    if (!isWaiting) {
      const { credits } = await send('/v1/account');
      paid.querySelector('[data-balance]').textContent = credits.available.toLocaleString('en-US');
    }
    waiting.hidden = !isWaiting;
    // That the payment is on its way.
    paid.nextElementSibling.hidden = !isWaiting;
    balance.hidden = isWaiting;
    paid.hidden = false;
    if (isWaiting && polls < POLLS) setTimeout(() => showBalance(polls + 1).catch(() => {}), 3000);
    else if (isWaiting)
      waiting.textContent = 'The payment has not arrived yet. Billing shows it as soon as it does.';
  };
  // A buyer without a session reads how to sign in.
  showBalance(0).catch(() => {});
}
