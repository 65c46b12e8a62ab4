import { bytesOf } from '../go/go-string';
import type { ListNode } from './nodes';

/** A parsed template. It never changes, so executions can share it. */
export interface Template {
  readonly name: string;
  /** The file that defines it: its own name, unless it is defined inside another template. */
  readonly file: string;
  /** The text of the file, to which the positions of nodes refer. */
  readonly text: string;
  readonly root: ListNode;
}

/** Whether a template consists only of spaces and comments. */
export function isEmptyTemplate({ root }: Template): boolean {
  return root.nodes.every((node) => node.type === 'text' && /^[\t-\r \u0085\p{White_Space}]*$/u.test(node.text));
}

/** Adds templates of another file. Unless they are empty, they replace templates with the same names. */
export function addTemplates(templates: Map<string, Template>, added: Iterable<Template>): void {
  for (const template of added) {
    if (!templates.has(template.name) || !isEmptyTemplate(template)) templates.set(template.name, template);
  }
}

/** Returns a place in a text as Go counts: the line from 1, and the number of bytes before it in the line. */
export function placeOf(text: string, position: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line += 1;
  return { line, column: bytesOf(before.slice(lineStart)).length };
}
