import { bytesOf } from '../go/go-string';
import type { ListNode } from './nodes';

/** A parsed template. It does not change: any number of executions share it. */
export interface Template {
  readonly name: string;
  /** The file that defines it: its own name, unless it is defined inside another template. */
  readonly file: string;
  /** The text of the file, in which its nodes have their positions. */
  readonly text: string;
  readonly root: ListNode;
}

/** Whether a template consists of spaces and comments only. */
export function isEmptyTemplate({ root }: Template): boolean {
  return root.nodes.every((node) => node.type === 'text' && /^[\t-\r \u0085\p{White_Space}]*$/u.test(node.text));
}

/** Adds templates to those of other files: they replace templates of the same names, unless they are empty. */
export function addTemplates(templates: Map<string, Template>, added: Iterable<Template>): void {
  for (const template of added) {
    if (!templates.has(template.name) || !isEmptyTemplate(template)) templates.set(template.name, template);
  }
}

/** A place in a text, as Go counts: lines from 1, and the bytes before it in its line. */
export function placeOf(text: string, position: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line += 1;
  return { line, column: bytesOf(before.slice(lineStart)).length };
}
