import type { ErrorObject } from 'ajv';

const JUNCTORS = new Set(['anyOf', 'oneOf', 'not']);

/** Keywords of a schema whose errors tell most about one place, first. */
const RANK = ['additionalProperties', 'required', 'oneOf', 'anyOf', 'not', 'const', 'enum', 'type', 'pattern'];

/** A value that fails `anyOf` fails each of its members, too: drops the errors about these. */
export function withoutFollowers(errors: readonly ErrorObject[]): ErrorObject[] {
  const junctors = errors.filter(({ keyword }) => JUNCTORS.has(keyword));
  return errors.filter(
    ({ keyword, schemaPath }) =>
      // Only says which branch has an error.
      keyword !== 'if' && !junctors.some((junctor) => schemaPath.startsWith(`${junctor.schemaPath}/`)),
  );
}

/** The most telling error for each place in the data: a wrong type, for one, breaks most other rules. */
export function onePerPlace(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const places = new Map<string, ErrorObject>();
  for (const error of errors) {
    const place = placeOf(error);
    const known = places.get(place);
    if (known === undefined || rankOf(error) < rankOf(known)) places.set(place, error);
  }
  return [...places.values()];
}

/** The place that an error is about, as a JSON pointer: the key itself where one is missing or not known. */
export function placeOf({ instancePath, params }: ErrorObject): string {
  const key: string | undefined = params.additionalProperty ?? params.missingProperty;
  return key === undefined ? instancePath : `${instancePath}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function rankOf({ keyword }: ErrorObject): number {
  const rank = RANK.indexOf(keyword);
  return rank === -1 ? RANK.length : rank;
}
