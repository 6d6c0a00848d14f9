/** What the payment processor takes without decimals, and with three; browsers differ. Source: docs.stripe.com/currencies. */
const WITHOUT_DECIMALS = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
const WITH_THREE_DECIMALS = 'bhd jod kwd omr tnd'.split(' ');

const decimalsOf = (currency: string): number => {
  if (WITHOUT_DECIMALS.includes(currency)) return 0;
  return WITH_THREE_DECIMALS.includes(currency) ? 3 : 2;
};

/** How many smallest units a unit of the currency has. */
export const smallestUnits = (currency: string): number => 10 ** decimalsOf(currency);

/** An amount in the smallest unit of its currency, as the payment processor counts it. */
export const money = (amount: number, currency: string): string => {
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(
    amount / smallestUnits(currency),
  );
};
