import { helmFunctions } from '#helm/functions/helm-functions';
import { RenderBudget } from '#helm/go/budget';
import { replaceStrayBytes } from '#helm/go/go-string';
import type { GoFunctions, GoValue } from '#helm/go/values';
import { builtinFunctions } from '#helm/template/builtin-functions';
import { executeTemplate } from '#helm/template/execute';
import { parseTemplate } from '#helm/template/parse';
import { readJson } from '#helm/yaml/json';
import { askTemplates, type HelmAnswer } from '#test/support/helm-oracle';

const FUNCTIONS: GoFunctions = new Map([...builtinFunctions, ...helmFunctions]);
const NAMES = new Set(FUNCTIONS.keys());

/** The output of these functions, or the message of their error. */
export type Rendered = { readonly text: string } | { readonly error: string };

/** Renders a template with all functions, like the only template of a chart. */
export function render(template: string, values: object = {}): Rendered {
  const data = new Map<string, GoValue>([['Values', readJson(JSON.stringify(values))]]);
  try {
    const templates = parseTemplate('chart/templates/a.yaml', template, NAMES);
    const budget = new RenderBudget({ steps: 10_000_000, depth: 100, outputLength: 100_000_000 });
    const text = executeTemplate(templates, 'chart/templates/a.yaml', data, { functions: FUNCTIONS, budget });
    return { text: replaceStrayBytes(text.replaceAll('<no value>', '')) };
  } catch (error) {
    // Another error, e.g. a `TypeError`, is a defect of the renderer.
    if (!(error instanceof Error) || !/^(TemplateError|FunctionError|LimitError)$/.test(error.name)) throw error;
    return { error: error.message };
  }
}

function answered({ texts, error }: HelmAnswer): Rendered {
  return error === undefined ? { text: texts?.['chart/templates/a.yaml'] ?? '' } : { error };
}

/** The templates with different output here and in Helm, with both outputs. */
export function differences(templates: readonly string[], values: object = {}): readonly object[] {
  return askTemplates(templates, values).flatMap((answer, i) => {
    const template = templates[i] ?? '';
    const helm = answered(answer);
    const ours = render(template, values);
    const isSame = 'text' in helm ? 'text' in ours && ours.text === helm.text : 'error' in ours;
    return isSame ? [] : [{ template, helm, ours }];
  });
}
