import { helmFunctions } from '../functions/helm-functions';
import { addTemplates, parseTemplate, type Template } from '../template/parse';

/** Templates by the names under which they are executed and included. */
export type TemplateSet = Map<string, Template>;

/** The functions that templates may call. */
const FUNCTION_NAMES: ReadonlySet<string> = new Set([...helmFunctions.keys(), 'include', 'tpl']);

/** Keeps parsed templates, so that the next render of a chart need not parse them. */
export class TemplateParser {
  private readonly parsed = new Map<string, { readonly text: string; readonly templates: readonly Template[] }>();

  /**
   * Adds a file and what it defines to templates.
   *
   * @throws TemplateError if it is not well-formed
   */
  define(templates: TemplateSet, path: string, text: string): void {
    const known = this.parsed.get(path);
    const parsed = known?.text === text ? known.templates : [...parseTemplate(path, text, FUNCTION_NAMES).values()];
    if (parsed !== known?.templates) this.parsed.set(path, { text, templates: parsed });
    addTemplates(templates, parsed);
  }

  /** Returns the templates of a text that is no file, the argument of `tpl`. */
  parse(name: string, text: string): ReadonlyMap<string, Template> {
    return parseTemplate(name, text, FUNCTION_NAMES);
  }
}
