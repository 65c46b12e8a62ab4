import { shortened } from '#base/shortened';
import { type Capabilities, capabilitiesObject, KubeVersionError, parseKubeVersion } from './chart/capabilities';
import type { Chart } from './chart/chart';
import { ChartError } from './chart/chart-error';
import { helmFault } from './chart/chart-faults';
import { CoalesceError, coalesceValues, type ValueMap } from './chart/coalesce';
import { isCompatible, processDependencies } from './chart/dependencies';
import { type GivenValues, GivenValuesError, valuesOf } from './chart/given-values';
import {
  type HookManifest,
  inHookOrder,
  type Manifest,
  ManifestError,
  type SortedManifests,
  sortManifests,
} from './chart/manifests';
import { type JsonObject, objectsIn } from './chart/objects';
import { renderTemplates } from './chart/render-templates';
import { SchemaError } from './chart/schema-error';
import servedApiVersions from './chart/served-api-versions.json';
import { fullPath, type WorkingChart, workOn } from './chart/working-chart';
import { LimitError, RenderBudget, type RenderLimits } from './go/budget';
import { type Budget, GoInt, type GoValue } from './go/values';
import { TemplateError, templateErrorIn } from './template/template-error';

/** The options of a render. */
export interface RenderOptions extends Partial<Capabilities> {
  /**
   * Values that override those of the chart; null removes a value.
   *
   * @default - the values of the chart
   */
  readonly values?: GivenValues;

  /** Name of the release. */
  readonly name: string;

  /** Namespace of the release. */
  readonly namespace: string;

  /** Version of Kubernetes, such as `v1.34.0`. */
  readonly kubeVersion: string;

  /**
   * API versions of the cluster beyond those of Kubernetes, such as `monitoring.coreos.com/v1`.
   *
   * @default []
   */
  readonly apiVersions?: readonly string[];

  /**
   * True to accept values that the schema of the chart refuses.
   *
   * @default false
   */
  readonly skipSchemaValidation?: boolean;

  /**
   * What the render may consume.
   *
   * @default - 20 million steps, 800 levels, 16 million characters
   */
  readonly limits?: Partial<RenderLimits>;
}

/** An object that a chart renders. */
export interface RenderedObject {
  readonly object: JsonObject;
  /** The template that printed it: `chart/templates/service.yaml`. */
  readonly source: string;
}

interface RenderedHook extends RenderedObject, Pick<HookManifest, 'events' | 'weight' | 'deletePolicies'> {
  /** Whether only `helm test` applies it. */
  readonly isTest: boolean;
}

/** The objects that a chart renders. */
export interface RenderedManifests {
  /** The objects in Helm's install order, without hooks. */
  readonly objects: readonly RenderedObject[];
  /** The hooks, sorted by weight, then by name. */
  readonly hooks: readonly RenderedHook[];
  /** The objects in `crds/`, which Helm installs before all others. */
  readonly crds: readonly RenderedObject[];
}

interface PrintedCrds {
  /** The path of its file: `chart/crds/crd.yaml`. */
  readonly source: string;
  readonly text: string;
  readonly objects: () => readonly JsonObject[];
}

/** The documents that a chart renders, as text. */
export interface RenderedTexts extends SortedManifests {
  readonly crds: readonly PrintedCrds[];
}

/**
 * Renders a chart into objects, as a GitOps controller does. Templates see the API versions of `helm template`, and the
 * stable API versions of an API server with their kinds, which `helm template` leaves out: e.g.
 * `policy/v1/PodDisruptionBudget`. The same chart and options give the same objects.
 *
 * @throws ChartError if the values do not fit the chart, or a template fails or prints something other than objects
 */
export function renderChart(chart: Chart, options: RenderOptions): RenderedManifests {
  const apiVersions = [...servedApiVersions, ...(options.apiVersions ?? [])];
  const { manifests, hooks, crds } = renderTexts(chart, { ...options, apiVersions });
  return wrapErrors(chart, () => ({
    objects: manifests.flatMap(objectsOf),
    hooks: inHookOrder(hooks).flatMap((hook) => {
      const { events, weight, deletePolicies } = hook;
      return objectsOf(hook).map((one) => ({
        ...one,
        events,
        weight,
        deletePolicies,
        isTest: events.includes('test'),
      }));
    }),
    crds: crds.flatMap(({ source, objects }) => objects().map((object) => ({ object, source }))),
  }));
}

function objectsOf(manifest: Manifest): readonly RenderedObject[] {
  return objectsIn(manifest).map((object) => ({ object, source: manifest.source }));
}

/**
 * Renders a chart as `helm template` does, into the text of each document.
 *
 * @throws ChartError if the values do not fit the chart, or a template fails or prints something that is not YAML
 */
export function renderTexts(chart: Chart, options: RenderOptions): RenderedTexts {
  return wrapErrors(chart, () => {
    checkInstallable(chart);
    const budget = new RenderBudget(options.limits);
    const given = valuesOf(options.values ?? {}, budget);
    const working = workOn(chart);
    processDependencies(working, given, budget);
    const values = coalesceValues(working, given, budget);
    if (!options.skipSchemaValidation) checkValues(working, values, budget);
    checkKubeVersion(chart, options.kubeVersion, budget);
    const printed = renderTemplates(working, chart.parser, {
      values,
      release: releaseOf(options),
      capabilities: capabilitiesObject({ kubeVersion: options.kubeVersion, apiVersions: options.apiVersions ?? [] }),
      budget,
    });
    return { ...sortManifests(printed, budget), crds: crdsOf(working) };
  });
}

function crdsOf(chart: WorkingChart): readonly PrintedCrds[] {
  const own = chart.source.crds.map((file) => {
    const source = `${fullPath(chart)}/${file.name}`;
    return { source, text: file.text, objects: () => file.objectsAs(source) };
  });
  return [...own, ...chart.dependencies.flatMap(crdsOf)];
}

function releaseOf({ name, namespace }: RenderOptions): ValueMap {
  return new Map<string, GoValue>([
    ['Name', name],
    ['Namespace', namespace],
    ['IsUpgrade', false],
    ['IsInstall', true],
    ['Revision', new GoInt(1n)],
    ['Service', 'Helm'],
  ]);
}

function checkInstallable({ metadata, dependencies }: Chart): void {
  const { name: chart, type, dependencies: declared = [] } = metadata;
  if (type === 'library') {
    throw new ChartError({ chart, ...helmFault('library', {}) });
  }
  const missing = declared.filter(({ name }) => !dependencies.some(({ metadata: { name: found } }) => found === name));
  if (missing.length === 0) return;
  throw new ChartError({
    chart,
    file: 'Chart.yaml',
    ...helmFault('dependencies-missing', { names: missing.map(({ name }) => name).join(', ') }),
  });
}

function checkKubeVersion({ metadata: { name: chart, kubeVersion } }: Chart, given: string, budget: Budget): void {
  const { version } = parseKubeVersion(given);
  if (kubeVersion === '' || isCompatible(kubeVersion, version, budget)) return;
  throw new ChartError({
    chart,
    file: 'Chart.yaml',
    subject: 'kubeVersion',
    ...helmFault('kubernetes-refused', { required: kubeVersion, version }),
  });
}

function wrapErrors<T>(chart: Chart, render: () => T): T {
  try {
    return render();
  } catch (error) {
    throw chartErrorOf(chart.metadata.name, error) ?? error;
  }
}

const EXCERPT_LENGTH = 200;

function chartErrorOf(chart: string, error: unknown): ChartError | undefined {
  if (error instanceof ChartError) return undefined;
  const options = { cause: error };
  if (error instanceof LimitError) {
    return new ChartError({ chart, ...helmFault('limit', { quote: error.message }) }, options);
  }
  if (error instanceof ManifestError) {
    const { manifest, reason } = error;
    const subject = excerptOf(manifest.text);
    const place = { chart, file: inChart(chart, manifest.source), line: manifest.line };
    return new ChartError({ ...place, subject, ...helmFault('manifest', { quote: reason }) }, options);
  }
  const failed = error instanceof TemplateError ? error : templateErrorIn(error);
  if (failed !== undefined) {
    const { template, line, column, reason: said } = failed;
    // As in Helm, the messages of `fail` and `required` have no prefix.
    const quote = said.replace(/^error calling (?:fail|required): /, '') + calledFrom(chart, failed);
    const place = { chart, file: inChart(chart, template), line, column: column === 0 ? undefined : column };
    return new ChartError({ ...place, ...helmFault('template', { quote }) }, options);
  }
  if (error instanceof CoalesceError || error instanceof GivenValuesError) {
    return new ChartError({ chart, ...helmFault('values', { quote: error.message }) }, options);
  }
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return new ChartError({ chart, ...helmFault('nesting', {}) }, options);
  }
  if (error instanceof KubeVersionError) {
    return new ChartError({ chart, ...helmFault('kubernetes-invalid', { quote: error.message }) }, options);
  }
  return undefined;
}

function calledFrom(chart: string, { message, template }: TemplateError): string {
  const [, outermost = template, place = ''] = /^template: ([^:]+):(\d+:\d+): /.exec(message) ?? [];
  return outermost === template ? '' : `, for ${inChart(chart, outermost)}:${place}`;
}

function inChart(chart: string, path: string): string {
  return path.startsWith(`${chart}/`) ? path.slice(chart.length + 1) : path;
}

function excerptOf(text: string): string {
  return JSON.stringify(shortened(text.replace(/\s+/g, ' ').trim(), EXCERPT_LENGTH));
}

/**
 * Checks values against the schemas of a chart and its dependencies.
 *
 * @throws ChartError with all reasons if schemas refuse values, or if a schema cannot be used
 */
function checkValues(chart: WorkingChart, values: ValueMap, budget: Budget): void {
  const problems = problemsOf(chart, values, budget);
  if (problems.length === 0) return;
  throw new ChartError({
    chart: chart.name,
    file: 'values.schema.json',
    ...helmFault('schema-refuses', { problems: problems.join('; ') }),
  });
}

function problemsOf(chart: WorkingChart, values: ValueMap, budget: Budget): readonly string[] {
  const own = ownProblems(chart, values, budget);
  const ofDependencies = chart.dependencies.flatMap((dependency) => {
    const given = values.get(dependency.name);
    return given instanceof Map ? problemsOf(dependency, given, budget) : [];
  });
  const reasons = own.length === 0 ? [] : [`${chart.name}: ${own.join(', ')}`];
  return [...reasons, ...ofDependencies];
}

function ownProblems(chart: WorkingChart, values: ValueMap, budget: Budget): readonly string[] {
  try {
    return chart.source.schema?.check(values, budget) ?? [];
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new ChartError(
      { chart: fullPath(chart), file: 'values.schema.json', ...helmFault('schema', { quote: error.message }) },
      { cause: error },
    );
  }
}
