import type { Budget } from '../go/values';

interface Place {
  depth: number;
  quote: '"' | "'" | undefined;
  /** The indentation of the line that began a block scalar. Lines that are indented more belong to it. */
  block: number | undefined;
}

/**
 * Indents the lines inside of brackets and quotation marks. go-yaml ignores their indentation, but the `yaml` package
 * does not.
 */
export function indentFlows(text: string, budget: Budget): string {
  const lines = text.split('\n');
  let deepest = 0;
  for (const line of lines) deepest = Math.max(deepest, indentOf(line));
  const indentation = ' '.repeat(deepest + 2);
  const place: Place = { depth: 0, quote: undefined, block: undefined };
  const indented = lines.map((line) => {
    const isInside = place.depth > 0 || place.quote !== undefined;
    scanLine(line, place);
    if (!isInside || line.trim() === '') return line;
    budget.spend(indentation.length);
    return indentation + line.trimStart();
  });
  return indented.join('\n');
}

function indentOf(line: string): number {
  let indent = 0;
  while (line.charAt(indent) === ' ') indent += 1;
  return indent;
}

function scanLine(line: string, place: Place): void {
  const indent = line.length - line.trimStart().length;
  if (place.block !== undefined) {
    if (line.trim() === '' || indent > place.block) return;
    place.block = undefined;
  }
  let mayStart = true;
  for (let i = 0; i < line.length; ) {
    const rest = line.slice(i);
    if (place.quote !== undefined) {
      i += quotedLength(rest, place);
      mayStart = false;
    } else if (/^#/.test(rest) && (i === 0 || /\s/.test(line.charAt(i - 1)))) {
      return;
    } else if (mayStart && place.depth === 0 && /^[|>][-+0-9]*\s*(#.*)?$/.test(rest)) {
      place.block = indent;
      return;
    } else {
      const length = plainLength(rest, mayStart, place);
      mayStart = startsNode(rest.slice(0, length), mayStart);
      i += length;
    }
  }
}

/** Returns the length of the quoted scalar in the rest of a line, and ends the scalar at its quote. */
function quotedLength(rest: string, place: Place): number {
  const whole = place.quote === '"' ? /^(?:[^"\\]|\\.)*/s.exec(rest)?.[0] : /^(?:[^']|'')*/.exec(rest)?.[0];
  const length = whole?.length ?? 0;
  if (rest.charAt(length) !== place.quote) return rest.length;
  place.quote = undefined;
  return length + 1;
}

/** Returns the length of the next token outside of quotes, and opens and closes brackets and quotes. */
function plainLength(rest: string, mayStart: boolean, place: Place): number {
  const first = rest.charAt(0);
  if (mayStart && (first === '"' || first === "'")) place.quote = first;
  else if (/^[[{]/.test(first) && (mayStart || place.depth > 0)) place.depth += 1;
  else if (/^[\]}]/.test(first) && place.depth > 0) place.depth -= 1;
  else if (mayStart && /^[&!*]/.test(first)) return /^[^\s,[\]{}]+/.exec(rest)?.[0].length ?? 1;
  return 1;
}

function startsNode(scanned: string, couldStart: boolean): boolean {
  if (/^[\s,[{:]/.test(scanned)) return couldStart || !/^\s/.test(scanned);
  return couldStart && /^[-?&!]/.test(scanned);
}
