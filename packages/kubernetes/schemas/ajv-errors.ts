import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { type ListKeys, sameItems } from '../objects/list-keys';
import { withoutFollowers } from './schema-errors';
import { SCHEMA_FORMATS } from './schema-formats';
import { LIST_TYPE, MAP_KEYS, REF, type SchemaAddress, schemaAt } from './schema-store';

const validators = new Map<SchemaAddress, ValidateFunction>();
// Schemas come from `imports/`, where tests check them, so ajv need not load its meta-schema to check them again.
const ajv = new Ajv({
  allErrors: true,
  code: { optimize: false },
  meta: false,
  strict: false,
  validateSchema: false,
  verbose: true,
  formats: SCHEMA_FORMATS,
})
  .addKeyword({ keyword: REF, schemaType: 'string', errors: 'full', validate: followRef })
  .addKeyword({ keyword: MAP_KEYS, type: 'array', schemaType: 'array', errors: false, validate: hasNoSameItems })
  .addKeyword({
    keyword: LIST_TYPE,
    type: 'array',
    schemaType: 'string',
    errors: false,
    validate: (_type: string, list: readonly unknown[]) => hasNoSameItems([], list),
  });

/** Returns all errors of data, as ajv reports them. */
export function ajvErrors(address: SchemaAddress, data: unknown): readonly ErrorObject[] {
  const validate = validator(address);
  return validate(data) ? [] : withoutFollowers(validate.errors ?? []);
}

function validator(address: SchemaAddress): ValidateFunction {
  const known = validators.get(address);
  if (known !== undefined) return known;
  const compiled = ajv.compile(schemaAt(address));
  validators.set(address, compiled);
  return compiled;
}

function hasNoSameItems(keys: ListKeys, list: readonly unknown[]): boolean {
  return sameItems(list, keys) === undefined;
}

function followRef(
  address: SchemaAddress,
  data: unknown,
  _parent: unknown,
  context: Parameters<ValidateFunction>[1],
): boolean {
  const validate = validator(address);
  const isValid = validate(data, context);
  followRef.errors = isValid ? [] : withoutFollowers(validate.errors ?? []);
  return isValid;
}
followRef.errors = [] as ErrorObject[];
