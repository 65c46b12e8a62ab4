import { redact } from '../problems/redaction';
import { SECRET_NAMES } from '../problems/secret-names';

/** Names of values that are secrets, at the end of a path, or of a variable whose value a path leads to. */
const NAME = new RegExp(`${SECRET_NAMES}(?:\\]\\.value)?$`, 'i');

const HIDDEN = '<hidden>';

/** The same data, a plan for instance, without values that are secrets by their name or their object, and without secrets in texts. */
export function withoutSecrets<Data extends object>(data: Data): Data {
  return clean(data, false) as Data;
}

/** A copy of a value without secrets; all of it is hidden where it is one. */
export function clean(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : redact(value);
  if (typeof value === 'number') return isSecret ? HIDDEN : value;
  if (Array.isArray(value)) return value.map((item, index) => clean(item, isSecret || isSecretFlag(value[index - 1])));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, cleanMember(value, key, of, isSecret)]));
}

/** Tells an argument that is the name of a secret, whose value is the next one: `--token`. */
function isSecretFlag(argument: unknown): boolean {
  return typeof argument === 'string' && /^--?[\w-]+$/.test(argument) && NAME.test(argument);
}

function cleanMember(map: object, key: string, of: unknown, isSecret: boolean): unknown {
  if (key === 'fields' && isOfSecrets(map)) return (of as readonly unknown[]).map(cleanSecretField);
  const isScalar = typeof of !== 'object';
  return clean(of, isSecret || (isScalar && (NAME.test(key) || (isValue(key) && NAME.test(nameOf(map))))));
}

/** Tells the members of a change, and of a variable, that have its value. */
function isValue(key: string): boolean {
  return ['before', 'after', 'value'].includes(key);
}

/** The path of a change, or the name of a variable. */
function nameOf(map: object): string {
  const { path, name } = map as { readonly path?: unknown; readonly name?: unknown };
  const [found = ''] = [path, name].filter((text) => typeof text === 'string');
  return found;
}

/** Tells a group of changes that some Secret has. */
function isOfSecrets(map: object): boolean {
  const { objects, fields } = map as { readonly objects?: unknown; readonly fields?: unknown };
  const isSecret = (object: unknown) => String(object).startsWith('Secret ');
  return Array.isArray(objects) && Array.isArray(fields) && objects.some(isSecret);
}

function cleanSecretField(field: unknown): unknown {
  const { path, ...values } = field as { readonly path: string };
  return { path, ...(clean(values, /^(?:data|stringData)\b/.test(path)) as object) };
}
