import { byteLength, sliceBytes as sliceChecked } from './go-string';
import { FunctionError } from './values';

/** Returns a part of a text by positions of bytes. @throws FunctionError for a position outside of the text */
export function sliceBytes(text: string, start: number, end: number): string {
  const error = sliceError(start, end, byteLength(text));
  if (error !== undefined) throw new FunctionError(error);
  return sliceChecked(text, start, end);
}

/** Returns the error of Go's runtime for positions outside of a text; undefined for valid positions. */
function sliceError(start: number, end: number, length: number): string | undefined {
  if (end > length) return `runtime error: slice bounds out of range [:${end}] with length ${length}`;
  if (end < 0) return `runtime error: slice bounds out of range [:${end}]`;
  if (start < 0) return `runtime error: slice bounds out of range [${start}:]`;
  return start > end ? `runtime error: slice bounds out of range [${start}:${end}]` : undefined;
}
