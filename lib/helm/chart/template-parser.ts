import { helmFunctions } from '../functions/helm-functions';
import { stringOf } from '../template/go-string';
import { addTemplates, parseTemplate, type Template } from '../template/parse';

/** Templates by the names under which they are executed and included. */
export type TemplateSet = Map<string, Template>;

/** The functions that templates may call. */
const FUNCTION_NAMES: ReadonlySet<string> = new Set([...helmFunctions.keys(), 'include', 'tpl']);

/** Keeps parsed templates, so that the next render of a chart need not parse them. */
export class TemplateParser {
  private readonly parsed = new Map<string, { readonly data: Uint8Array; readonly templates: readonly Template[] }>();

  /**
   * Adds a file and what it defines to templates.
   *
   * @throws TemplateError if it is not well-formed
   */
  define(templates: TemplateSet, path: string, data: Uint8Array): void {
    const known = this.parsed.get(path);
    const parsed = known?.data === data ? known.templates : [...this.parse(path, stringOf(data)).values()];
    if (parsed !== known?.templates) this.parsed.set(path, { data, templates: parsed });
    addTemplates(templates, parsed);
  }

  /** Returns the templates of a text: of a file, or the argument of `tpl`. */
  parse(name: string, text: string): ReadonlyMap<string, Template> {
    return parseTemplate(name, text, FUNCTION_NAMES);
  }
}
