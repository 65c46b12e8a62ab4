import { type Definitions, sortedByKey } from './json-schema';

/** A schema document with one line per definition: small, and a change touches the definitions that it concerns. */
export function serializeDefinitions(definitions: Definitions): string {
  return `{"definitions":{\n${lines(definitions)}\n}}\n`;
}

/** A flat record with one line per key. */
export function serializeRecord(record: Readonly<Record<string, unknown>>): string {
  return `{\n${lines(record)}\n}\n`;
}

/** Plain data, indented, with its keys in their given order. */
export function serializeData(data: unknown): string {
  return `${JSON.stringify(data, null, 2)}\n`;
}

function lines(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(sortedByKey(record))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',\n');
}
