import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export const createAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv;
};

/** What of a value breaks a JSON Schema, in words; nothing if it matches. */
export const schemaBreaches = (schema: object, value: unknown): string[] => {
  const ajv = createAjv();
  const validate = ajv.compile(schema);
  return validate(value) ? [] : [ajv.errorsText(validate.errors)];
};
