/** What the payment processor takes without decimals, and with three; browsers differ. Source: docs.stripe.com/currencies. */
const WITHOUT_DECIMALS = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
const WITH_THREE_DECIMALS = 'bhd jod kwd omr tnd'.split(' ');

/** An amount in the smallest unit of its currency, as the payment processor counts it. */
export const money = (amount: number, currency: string): string => {
  const decimals = WITHOUT_DECIMALS.includes(currency) ? 0 : WITH_THREE_DECIMALS.includes(currency) ? 3 : 2;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(
    amount / 10 ** decimals,
  );
};
