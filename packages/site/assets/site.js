// The theme, copy buttons, the language of samples, the filter of the reference, sign-in and buying. Pages are readable without it.
const theme = localStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

for (const figure of all('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  figure.querySelector('figcaption').append(button);
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

/** What happened, what to do, the code, and the id that support asks for. */
const showFailure = (root, { message, code, request_id: request }) => {
  const failure = root.querySelector('.failure');
  const remedy = JSON.parse(root.dataset.remedies)[code];
  const note = element('p', '', { className: 'soft' });
  note.append(element('a', code, { href: `/docs/errors#${code}` }), ' ');
  if (request) note.append(element('code', request));
  failure.replaceChildren(element('p', message), ...(remedy ? [element('p', remedy)] : []), note);
  failure.hidden = false;
};

/** Shows an error, keeps the input, and lets the button be pressed again. */
const onSubmit = (form, work) => {
  const root = form.parentElement;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    root.querySelector('.failure').hidden = true;
    try {
      await work(new FormData(form));
    } catch (error) {
      showFailure(root, error);
    }
    button.disabled = false;
  });
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
  // The view that asked for a sign-in; no other site, and no other page.
  const to = new URLSearchParams(location.search).get('to') ?? '';
  const goOn = /^\/dashboard(?:[/?]|$)/.test(to) ? to : '/dashboard';
  signin.hidden = false;
  steps[0].querySelector('input').focus();
  onSubmit(steps[0], async (fields) => {
    email = fields.get('email');
    await send('/v1/auth/code', { email });
    signin.querySelector('[data-email]').textContent = email;
    show('code');
  });
  signin.querySelector('[data-back]').addEventListener('click', () => show('email'));
  onSubmit(steps[1], async (fields) => {
    const { key } = await send('/v1/auth/verify', { email, code: fields.get('code'), accept_terms: true });
    if (!key) {
      location.replace(goOn);
      return;
    }
    const [secret, request] = all('code', steps[2]);
    secret.textContent = key.secret;
    request.textContent = signin.dataset.request.replace('$TRANSCRIPTS_API_KEY', key.secret);
    signin.querySelector('[data-go-on]').href = goOn;
    document.querySelector('[data-terminal]').hidden = true;
    show('key');
  });
}

const buy = document.querySelector('#buy');
if (buy) {
  buy.hidden = false;
  const showPrices = ({ currency, blocks }) => {
    const price = new Intl.NumberFormat('en', { style: 'currency', currency });
    // Amounts are in the smallest unit of the currency.
    const unit = 10 ** price.resolvedOptions().maximumFractionDigits;
    for (const { block, amount } of blocks)
      buy.querySelector(`[data-price="${block}"]`).textContent = price.format(amount / unit);
  };
  send('/v1/checkout').then(showPrices, (error) => showFailure(buy, error));
  onSubmit(buy.querySelector('form'), async (fields) => {
    const body = { block: Number(fields.get('block')), email: fields.get('email') };
    location.assign((await send('/v1/checkout', body)).checkout_url);
  });
}
