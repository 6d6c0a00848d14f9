import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { callRoute } from '../serve/index.ts';

export const changePerson = callRoute(routes.changePerson, {
  request: ({ body: { role, daily_credit_cap: cap } }) => {
    if (role === undefined && cap === undefined) throw serviceError('empty_person_update');
    return {};
  },
});
