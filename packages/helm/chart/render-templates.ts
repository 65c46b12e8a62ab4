import { valuesObject } from '../functions/values-object';
import type { RenderBudget } from '../go/budget';
import { compareStrings } from '../go/go-string';
import { basePath } from '../go/path';
import type { GoObject, GoValue } from '../go/values';
import { executeTemplate } from '../template/execute';
import { chartObject } from './chart-object';
import { tableAt, type ValueMap } from './coalesce';
import { filesObject } from './files-object';
import { templateFunctions, withoutNoValue } from './include-and-tpl';
import type { TemplateParser, TemplateSet } from './template-parser';
import { fullPath, type WorkingChart } from './working-chart';

/** The data that all templates of a render share. */
export interface RenderContext {
  readonly values: ValueMap;
  readonly release: ValueMap;
  readonly capabilities: GoObject;
  readonly budget: RenderBudget;
}

interface Renderable {
  readonly data: Uint8Array;
  /** All templates of a chart share this map: each sees what earlier ones set in it. */
  readonly scope: ValueMap;
  readonly basePath: string;
}

/**
 * Returns the output of each template by its path, such as `parent/charts/child/templates/a.yaml`. Partials have no
 * output. The order, and the sharing of data, follow Helm (helm.sh/helm/v3/pkg/engine/engine.go).
 *
 * @throws TemplateError, LimitError
 */
export function renderTemplates(
  chart: WorkingChart,
  parser: TemplateParser,
  context: RenderContext,
): ReadonlyMap<string, string> {
  const renderables = new Map<string, Renderable>();
  collect(chart, renderables, context, context.values);
  const paths = [...renderables.keys()].sort(inHelmOrder);
  const templates: TemplateSet = new Map();
  const functions = templateFunctions(templates, context.budget, parser);
  for (const path of paths) {
    const renderable = renderables.get(path);
    if (renderable !== undefined) parser.define(templates, path, renderable.data, context.budget);
  }
  const printed = new Map<string, string>();
  for (const path of paths) {
    const renderable = renderables.get(path);
    if (renderable === undefined || basePath(path).startsWith('_')) continue;
    const { scope, basePath: base } = renderable;
    scope.set(
      'Template',
      valuesObject(
        new Map([
          ['Name', path],
          ['BasePath', base],
        ]),
      ),
    );
    const text = executeTemplate(templates, path, valuesObject(scope), { functions, budget: context.budget });
    printed.set(path, withoutNoValue(text));
  }
  return printed;
}

/** The deepest paths come first, so that charts override definitions of their dependencies. */
function inHelmOrder(a: string, b: string): number {
  return depthOf(b) - depthOf(a) || compareStrings(b, a);
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function collect(
  chart: WorkingChart,
  renderables: Map<string, Renderable>,
  context: RenderContext,
  values: ValueMap,
): ValueMap {
  const dependencies: ValueMap = new Map();
  const scope: ValueMap = new Map<string, GoValue>([
    ['Chart', chartObject(chart)],
    ['Files', filesObject(chart.source.files)],
    ['Release', context.release],
    ['Capabilities', context.capabilities],
    ['Values', valuesObject(values)],
    ['Subcharts', dependencies],
  ]);
  for (const dependency of chart.dependencies) {
    // Helm reads the name as a path, so a chart with a dot in its name gets no values.
    const own = tableAt(values, dependency.name) ?? new Map();
    dependencies.set(dependency.name, collect(dependency, renderables, context, own));
  }
  const path = fullPath(chart);
  const isLibrary = chart.source.metadata.type === 'library';
  for (const { name, data } of chart.source.templates) {
    if (isLibrary && !basePath(name).startsWith('_')) continue;
    context.budget.spend(1 + path.length + name.length);
    renderables.set(`${path}/${name}`, { data, scope, basePath: `${path}/templates` });
  }
  return scope;
}
