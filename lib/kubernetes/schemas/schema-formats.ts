import type { FormatDefinition } from 'ajv';
import { quantityOf } from '../../../operator/api/kubernetes/quantity';
import { parseGoDuration } from '../go-duration';

/** A form of values that the schemas in `imports/` name, and the API server holds them to. */
type SchemaFormat = (FormatDefinition<number> | FormatDefinition<string>) & {
  /** The form that a value is to have, for messages. */
  readonly text: string;
};

/**
 * Tells whether Go would decode a text: padded base64 without anything around it but line ends (encoding/base64,
 * StdEncoding). Without one expression for all of it, which takes milliseconds for a text of half a megabyte.
 */
export function isBase64(text: string): boolean {
  const plain = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
  if (plain.length % 4 !== 0) return false;
  const padding = plain.endsWith('==') ? 2 : Number(plain.endsWith('='));
  return !/[^A-Za-z0-9+/]/.test(plain.slice(0, plain.length - padding));
}

/** The form of durations that API servers take, too (k8s.io/kube-openapi/pkg/validation/strfmt). */
const SCALA_DURATION =
  /\d\s*(?:n(?:s|ano.*)|(?:u|µ)s|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|week|wk.*)(?![a-zµ])/i;

/** The formats, as ajv takes them. */
export const SCHEMA_FORMATS: Record<string, SchemaFormat> = {
  byte: {
    type: 'string',
    validate: isBase64,
    text: 'base64',
  },
  duration: {
    type: 'string',
    validate: (value: string) => parseGoDuration(value) !== undefined || SCALA_DURATION.test(value),
    text: 'a duration such as 10s',
  },
  int32: {
    type: 'number',
    validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31,
    text: 'from -2147483648 to 2147483647',
  },
  int64: {
    type: 'number',
    validate: (value: number) => value >= -(2 ** 63) && value < 2 ** 63,
    text: 'a whole number of 64 bits',
  },
  quantity: {
    type: 'string',
    validate: (value: string) => quantityOf(value) !== undefined,
    text: 'a quantity: a number with an optional unit, "100m" or "64Mi" for instance',
  },
};

/** Returns what a value of a format is to be. */
export function formatText(format: unknown): string {
  return (typeof format === 'string' ? SCHEMA_FORMATS[format]?.text : undefined) ?? `of the format ${String(format)}`;
}
