import type { GoMethod, GoObject, GoValue } from './values';

type Field = readonly [name: string, key: string, value: GoValue];

type FieldsInJson = 'all' | 'not empty';

/** Returns a Go struct, or with a `*` before its type a pointer to one. */
export function structObject(
  goType: string,
  fields: readonly Field[],
  json: FieldsInJson,
  methods: ReadonlyMap<string, GoMethod> = new Map(),
): GoObject {
  const written = json === 'all' ? fields : fields.filter(([, , value]) => !isEmpty(value));
  return {
    goType,
    goKind: goType.startsWith('*') ? 'ptr' : 'struct',
    data: new Map(written.map(([, key, value]) => [key, value])),
    fields: new Map(fields.map(([name, , value]) => [name, value])),
    methods,
  };
}

function isEmpty(value: GoValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value === '' || value === false) return true;
  return (
    typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Map && value.data.size === 0
  );
}
