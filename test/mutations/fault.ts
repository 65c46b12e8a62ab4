import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** A mistake in one file that a developer could make and that a test must detect. */
export interface Fault {
  /** The path of the file in the repository. */
  readonly file: string;
  /** A text that occurs exactly once in the file. */
  readonly from: string;
  /** The text that replaces `from`. */
  readonly to: string;
  readonly why?: string;
}

/** Returns the problems of a fault: it does not fit its file, or the file does not compile with it. */
export function misfitsOf({ file, from, to }: Fault, root: string): readonly string[] {
  const path = join(root, file);
  if (!existsSync(path)) return [`${file} does not exist`];
  const text = readFileSync(path, 'utf8');
  const occurrences = text.split(from).length - 1;
  if (occurrences !== 1) return [`${file} contains ${occurrences} times instead of once: ${from}`];
  if (from === to) return [`${file} is not changed by: ${from}`];
  return compiles(text.replace(from, () => to)) ? [] : [`${file} does not compile with: ${to}`];
}

function compiles(text: string): boolean {
  try {
    parseSync(text, { syntax: 'typescript', target: 'es2023' });
    return true;
  } catch {
    return false;
  }
}

/** Returns the line of a fault in its file. */
export function lineOf({ file, from }: Fault, root: string): number {
  const [before = ''] = readFileSync(join(root, file), 'utf8').split(from);
  return before.split('\n').length;
}

/** Writes a fault into a checkout, and returns a function that reverts it. */
export function plant({ file, from, to }: Fault, checkout: string): () => void {
  const path = join(checkout, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  return () => writeFileSync(path, text);
}
