/** What gateways and identity sign with the key ring that they alone share. */
export const keyRingUses = { principals: 'principals', signInCodes: 'sign-in-codes' } as const;
