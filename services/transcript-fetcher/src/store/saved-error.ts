import { languageCodes, type ServiceErrorData } from '@tds/contracts';

/** An error as a row holds it: a release before this one may have saved a longer list than an answer holds. */
export const savedError = (json: unknown): ServiceErrorData => {
  const error = json as ServiceErrorData;
  const available = error.extras?.available_languages;
  if (available === undefined) return error;
  return { ...error, extras: { ...error.extras, available_languages: languageCodes.parse(available) } };
};
