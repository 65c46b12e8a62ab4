import type { FormatDefinition } from 'ajv';
import { goDurationMs } from '#base/go-duration';
import { quantityOf } from '#base/quantity';
import type { SchemaFormatName } from './value-rules';

type SchemaFormat = FormatDefinition<number> | FormatDefinition<string>;

/**
 * Whether Go can decode a string: padded base64 with nothing around it except line ends (encoding/base64, StdEncoding).
 * Avoids a single expression, which takes milliseconds for half a megabyte.
 */
export function isBase64(text: string): boolean {
  const plain = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
  if (plain.length % 4 !== 0) return false;
  const padding = plain.endsWith('==') ? 2 : Number(plain.endsWith('='));
  return !/[^A-Za-z0-9+/]/.test(plain.slice(0, plain.length - padding));
}

/** The duration format that API servers accept in addition to Go's (k8s.io/kube-openapi/pkg/validation/strfmt). */
const SCALA_DURATION =
  /\d\s*(?:n(?:s|ano.*)|(?:u|µ)s|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|week|wk.*)(?![a-zµ])/i;

/** The formats, in ajv's form. */
export const SCHEMA_FORMATS: Record<string, SchemaFormat> = {
  byte: { type: 'string', validate: isBase64 },
  duration: {
    type: 'string',
    validate: (value: string) => goDurationMs(value) !== undefined || SCALA_DURATION.test(value),
  },
  int32: { type: 'number', validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: 'number', validate: (value: number) => value >= -(2 ** 63) && value < 2 ** 63 },
  quantity: { type: 'string', validate: (value: string) => quantityOf(value) !== undefined },
} satisfies Record<SchemaFormatName, SchemaFormat>;
