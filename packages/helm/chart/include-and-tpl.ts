import { helmFunctions } from '../functions/helm-functions';
import type { RenderBudget } from '../go/budget';
import { FunctionError, type GoFunction, type GoFunctions } from '../go/values';
import { executeTemplate } from '../template/execute';
import { addTemplates, isEmptyTemplate } from '../template/template';
import type { TemplateParser, TemplateSet } from './template-parser';

/** How often a template may include itself, directly or over others (helm.sh/helm/v3/pkg/engine/engine.go). */
const MAX_NESTED = 1000;

/** The name under which Go executes the argument of `tpl`. */
const TPL_NAME = 'gotpl';

/** `tpl` copies all functions, so that its text can include the templates that it defines. */
const STEPS_FOR_TPL = 40;

/** Removes Go's output for missing values. */
export function withoutNoValue(text: string): string {
  return text.replaceAll('<no value>', '');
}

/** Returns all functions of Helm, with those that execute templates: `include` and `tpl`. */
export function templateFunctions(templates: TemplateSet, budget: RenderBudget, parser: TemplateParser): GoFunctions {
  const nested = new Map<string, number>();
  const withTemplates = (set: TemplateSet): GoFunctions => {
    const all = new Map<string, GoFunction>(helmFunctions);
    all.set('include', {
      parameters: ['string', 'any'],
      call: ([name, data]) => {
        const count = nested.get(name as string) ?? 0;
        if (count > MAX_NESTED) {
          throw new FunctionError(
            `rendering template has a nested reference name: ${name}: unable to execute template`,
          );
        }
        nested.set(name as string, count + 1);
        try {
          return executeTemplate(set, name as string, data, { functions: all, budget });
        } finally {
          nested.set(name as string, count);
        }
      },
    });
    all.set('tpl', {
      parameters: ['string', 'any'],
      call: ([text, data]) => {
        budget.spend(STEPS_FOR_TPL + set.size / 4);
        if (!(text as string).includes('{{')) return withoutNoValue(text as string);
        const own: TemplateSet = new Map(set);
        const ownFunctions = withTemplates(own);
        const parsed = parser.parse(TPL_NAME, text as string, budget);
        addTemplates(own, parsed.values());
        const main = parsed.get(TPL_NAME);
        // An argument that only defines templates adds no main template: the outer argument of `tpl` would run.
        if (main === undefined || isEmptyTemplate(main)) return '';
        return withoutNoValue(executeTemplate(own, TPL_NAME, data, { functions: ownFunctions, budget }));
      },
    });
    return all;
  };
  return withTemplates(templates);
}
