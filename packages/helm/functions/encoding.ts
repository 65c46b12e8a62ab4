import { type Decoded, decodeBase32, decodeBase64, encodeBase32 } from '../go/base-n';
import { checkLength } from '../go/budget';
import { define } from '../go/define';
import { bytesOf, stringOf } from '../go/go-string';
import type { GoFunctions } from '../go/values';

const encoder = (encode: (bytes: Buffer) => string) =>
  define(['string'], ([text]) => {
    checkLength(text.length * 2);
    return encode(bytesOf(text));
  });

/** For an invalid text, returns the error message, because sprig's functions report no errors. */
const decoder = (name: string, decode: (bytes: Buffer) => Decoded) =>
  define(['string'], ([text]) => {
    const decoded = decode(bytesOf(text));
    if ('illegalAt' in decoded) return `illegal ${name} data at input byte ${decoded.illegalAt}`;
    return stringOf(decoded.bytes);
  });

/** Functions that encode and decode. */
export const encodingFunctions: GoFunctions = new Map(
  Object.entries({
    b64enc: encoder((bytes) => bytes.toString('base64')),
    b64dec: decoder('base64', decodeBase64),
    b32enc: encoder(encodeBase32),
    b32dec: decoder('base32', decodeBase32),
  }),
);
