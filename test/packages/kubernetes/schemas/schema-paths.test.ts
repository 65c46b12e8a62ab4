import fc from 'fast-check';
import { suggestPaths } from '#kubernetes/schemas/schema-paths';
import { resolveSchema, type Schema, schemaAddress, schemaAt } from '#kubernetes/schemas/schema-store';

const CHARTS = [
  'charts/linkerd-control-plane/edge-26.8.3',
  'charts/linkerd-control-plane/stable-2.14.10',
  'charts/linkerd-viz/edge-26.8.3',
  'charts/trust-manager/v0.24.0',
].map((key) => schemaAt(schemaAddress(key) ?? ''));

type Path = readonly string[];

interface Known {
  readonly path: Path;
  readonly keys: readonly string[];
}

/** Returns all maps of a schema with their keys. */
function maps(schema: Schema, path: Path = []): readonly Known[] {
  const properties = resolveSchema(schema).properties ?? {};
  if (path.length > 6 || Object.keys(properties).length === 0) return [];
  const below = Object.entries(properties).flatMap(([key, child]) => maps(child, [...path, key]));
  return [{ path, keys: Object.keys(properties) }, ...below];
}

function shared(path: Path, other: Path): number {
  const differs = path.findIndex((segment, index) => segment !== other[index]);
  return differs === -1 ? path.length : differs;
}

/** A key of a chart in the wrong map, spelt right or wrong. */
const misplaced = fc
  .constantFrom(...CHARTS)
  .chain((schema) => {
    const known = maps(schema);
    const keys = [...new Set(known.flatMap((map) => map.keys))];
    const slip = fc.constantFrom(
      (key: string) => key,
      (key: string) => key.toUpperCase(),
      (key: string) => `${key}s`,
      (key: string) => key.slice(1),
    );
    return fc.tuple(fc.constantFrom(...known), fc.constantFrom(...keys), slip).map(([map, key, slipped]) => {
      return { schema, known, map, key: slipped(key) };
    });
  })
  .filter(({ map, key }) => key !== '' && !map.keys.includes(key));

test('suggestPaths suggests known paths, and prefers the nearest paths with the same name', () => {
  let suggested = 0;
  fc.assert(
    fc.property(misplaced, ({ schema, known, map, key }) => {
      const place = [...map.path, key];
      const suggestion = suggestPaths({ place, value: null, siblings: map.keys }, schema);
      const paths = known.flatMap(({ path, keys }) => keys.map((name) => [...path, name]));
      const named = paths.filter((path) => path.at(-1)?.toLowerCase() === key.toLowerCase());
      const longest = Math.max(0, ...named.map((path) => shared(path, place)));
      for (const path of suggestion?.paths ?? []) {
        suggested++;
        expect(paths).toContainEqual(path);
        expect(shared(path, place)).toBeGreaterThanOrEqual(longest);
      }
    }),
    { numRuns: 500 },
  );
  expect(suggested).toBeGreaterThan(50);
});

test('suggestPaths searches lists and maps with any keys', () => {
  const item = { properties: { effect: {}, resources: { properties: { cpu: {} } } } };
  const schema: Schema = { properties: { list: { items: item }, map: { additionalProperties: item } } };
  const suggest = (...place: string[]) => suggestPaths({ place, value: null, siblings: [] }, schema)?.paths;
  expect(suggest('list', '0', 'cpu')).toEqual([['list', '0', 'resources', 'cpu']]);
  expect(suggest('map', 'any', 'cpu')).toEqual([['map', 'any', 'resources', 'cpu']]);
  expect(suggest('unknown', 'cpu')).toBeUndefined();
  expect(suggest('map', 'any', 'constructor')).toBeUndefined();
});
