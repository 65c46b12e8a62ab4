import { RenderBudget } from '#helm/go/budget';
import { replaceStrayBytes } from '#helm/go/go-string';
import type { GoValue } from '#helm/go/values';
import { builtinFunctions } from '#helm/template/builtin-functions';
import { executeTemplate } from '#helm/template/execute';
import { parseTemplate } from '#helm/template/parse';
import { TemplateError } from '#helm/template/template-error';
import { askTemplates, type HelmAnswer } from '#test/support/helm-oracle';

/** The path of the template in a question of `askTemplates`. */
export const PATH = 'chart/templates/a.yaml';

/** The rest of the chart. */
export const CHART = { 'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n' };

/** A value of a values file. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Returns a value as Helm reads it from a values file. */
function goValueOf(json: Json): GoValue {
  if (isList(json)) return json.map(goValueOf);
  if (typeof json !== 'object' || json === null) return json;
  return new Map(Object.entries(json).map(([key, value]) => [key, goValueOf(value)]));
}

/** A budget that no template of these tests exhausts. */
function largeBudget(): RenderBudget {
  return new RenderBudget({ steps: 5_000_000, depth: 200, outputLength: 10_000_000 });
}

/** Renders a template with values, and reports errors in Helm's wording. */
export function render(template: string, values: Json = {}): HelmAnswer {
  const functions = new Set(builtinFunctions.keys());
  try {
    const templates = parseTemplate(PATH, template, functions);
    const data = new Map([['Values', goValueOf(values)]]);
    const budget = largeBudget();
    const text = executeTemplate(templates, PATH, data, { functions: builtinFunctions, budget });
    return { texts: { [PATH]: replaceStrayBytes(text).replaceAll('<no value>', '') } };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { error: error.column === 0 && !error.message.includes('executing') ? parseError(error) : error.message };
  }
}

/** A template with another result in Helm. */
interface Difference {
  readonly template: string;
  readonly helm: string | undefined;
  readonly ours: string | undefined;
}

/** Expects that templates print or fail as in Helm. */
export function expectSameAsHelm(templates: readonly string[], values: Json & object = {}): void {
  expect(differencesFromHelm(templates, values)).toEqual([]);
}

/** Returns the templates with another result in Helm. */
function differencesFromHelm(templates: readonly string[], values: Json & object = {}): readonly Difference[] {
  const answers = askTemplates(templates, values);
  return templates
    .map((template, index) => ({ template, helm: outcome(answers[index]), ours: outcome(render(template, values)) }))
    .filter(({ helm, ours }) => helm !== ours);
}

export function outcome(answer: HelmAnswer | undefined): string | undefined {
  return answer?.texts?.[PATH] ?? answer?.error;
}

/** Helm reports only the place and the last part of an error of Go's parser. */
function parseError(error: TemplateError): string {
  const [, place = '', ...rest] = error.message.split(': ');
  return `parse error at (${place}): ${rest.at(-1)}`;
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
