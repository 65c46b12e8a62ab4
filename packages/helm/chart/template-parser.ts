import { helmFunctions } from '../functions/helm-functions';
import type { RenderBudget } from '../go/budget';
import { stringOf } from '../go/go-string';
import type { Budget } from '../go/values';
import { addTemplates, parseTemplate, type Template } from '../template/parse';

/** Templates by the names under which they are executed and included. */
export type TemplateSet = Map<string, Template>;

const FUNCTION_NAMES: ReadonlySet<string> = new Set([...helmFunctions.keys(), 'include', 'tpl']);

/** A parsed file, and the steps of parsing it. Later renders spend these steps, too, so all renders cost the same. */
interface ParsedFile {
  readonly data: Uint8Array;
  readonly templates: readonly Template[];
  readonly steps: number;
}

/** Caches parsed templates for the next render of a chart. */
export class TemplateParser {
  private readonly parsed = new Map<string, ParsedFile>();

  /**
   * Adds a file, and the templates that it defines, to a set of templates.
   *
   * @throws TemplateError if its syntax is invalid
   */
  define(templates: TemplateSet, path: string, data: Uint8Array, budget: RenderBudget): void {
    const known = this.parsed.get(path);
    if (known?.data === data) {
      budget.spend(known.steps);
      addTemplates(templates, known.templates);
      return;
    }
    const before = budget.spent;
    const parsed = [...this.parse(path, stringOf(data), budget).values()];
    this.parsed.set(path, { data, templates: parsed, steps: budget.spent - before });
    addTemplates(templates, parsed);
  }

  /** Returns the templates in the text of a file, or in the argument of `tpl`. */
  parse(name: string, text: string, budget: Budget): ReadonlyMap<string, Template> {
    return parseTemplate(name, text, FUNCTION_NAMES, budget);
  }
}
