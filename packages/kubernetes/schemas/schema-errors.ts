import type { ErrorObject } from 'ajv';
import { pointer } from '#base/json-pointer';

const JUNCTORS = new Set(['anyOf', 'oneOf', 'not']);

/** Keywords, those with the most helpful errors first. */
const RANK = ['additionalProperties', 'required', 'oneOf', 'anyOf', 'not', 'const', 'enum', 'type', 'pattern'];

/** Drops errors of the members of `anyOf` and similar: a value that fails `anyOf` also fails each member. */
export function withoutFollowers(errors: readonly ErrorObject[]): ErrorObject[] {
  const junctors = errors.filter(({ keyword }) => JUNCTORS.has(keyword));
  return errors.filter(
    ({ keyword, schemaPath }) =>
      // An error of `if` only names the branch that failed.
      keyword !== 'if' && !junctors.some((junctor) => schemaPath.startsWith(`${junctor.schemaPath}/`)),
  );
}

/** Returns the most helpful error for each place in the data: a wrong type, for example, breaks most other rules. */
export function onePerPlace(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const places = new Map<string, ErrorObject>();
  for (const error of errors) {
    const place = placeOf(error);
    const known = places.get(place);
    if (known === undefined || rankOf(error) < rankOf(known)) places.set(place, error);
  }
  return [...places.values()];
}

/** Returns the place of an error, as a JSON pointer: the key itself if it is missing or unknown. */
export function placeOf({ instancePath, params }: ErrorObject): string {
  const key: string | undefined = params.additionalProperty ?? params.missingProperty;
  return key === undefined ? instancePath : pointer(instancePath, key);
}

function rankOf({ keyword }: ErrorObject): number {
  const rank = RANK.indexOf(keyword);
  return rank === -1 ? RANK.length : rank;
}
