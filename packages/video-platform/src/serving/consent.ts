import type { Refusal } from '../classification/refusal.ts';

/** For a redirect to the consent page, which does not say the value of its cookie. */
const ANY_VALUE = 'cb';
const FIELD = /name="v"\s{1,8}value="([\w.+-]{1,100})"/;

export const isConsent = (refusal: Refusal): boolean => refusal.row.startsWith('consent_');

/** The cookie with which the platform lets this address past its consent page. */
export const consentCookie = (page: string): string => `CONSENT=YES+${FIELD.exec(page)?.[1] ?? ANY_VALUE}`;
