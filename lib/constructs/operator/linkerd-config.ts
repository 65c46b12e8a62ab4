import { Duration, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { defined } from '#base/defined';
import type { Problem } from '#base/findings/problem';
import { isImageTag } from '#base/image-reference';
import { remembered, rememberedOfBoth } from '#base/remembered';
import { replaceValues, type Values, valueAt } from '#base/values';
import { checkDnsSubdomain } from '#kubernetes/names';
import type { DurationLike } from '#kubernetes/options/duration-like';
import { DURATION, FREE, keysOf, NUMBER } from '#kubernetes/options/known-keys';
import { checkValues, misfitPaths } from '#kubernetes/schemas/schema';
import { knownValues, overDefaults } from '#linkerd/charts/known-values';
import { checkInjection } from '#linkerd/injection/check-injection';
import type { Injector } from '#linkerd/injection/injector';
import { checkRelease } from '#linkerd/injection/release';
import { releaseGroup } from '#linkerd/injection/release-group';
import type { ControlPlaneValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { Release } from '#linkerd/releases/release';
import { releaseInjector } from '#linkerd/releases/release-injector';
import { componentValuesIn } from '#operator/api/component-values';
import {
  CONFIG_DEFAULTS,
  type DeletionPolicy,
  type LinkerdConfigSpec,
  MAX_UNAVAILABLE_WORKLOADS,
} from '#operator/api/linkerd-config';
import { CONFIG_GROUP } from '#operator/api/names';
import type { Warning } from '../../checks/warnings';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { dependsOn } from '../../gitops/tree/order';
import { propOfClass, propOfMap, propsOf } from '../../gitops/tree/prop-of-shape';
import { checkCniAgreement } from '../control-plane/control-plane-rules';
import type { ILinkerdControlPlane } from '../control-plane/existing-control-plane';
import { checkKeyMaterialValues } from '../control-plane/key-material-rules';
import { DECIDED_VALUES, OPERATOR_FINDINGS } from './findings';
import { OPERATOR, type ReconcilerOperator } from './reconciler-operator';

/** Props of LinkerdConfig: the configuration of a running mesh. */
export interface LinkerdConfigProps<V extends LinkerdVersion = LinkerdVersion> {
  /** The operator that applies it, to its control plane. A LinkerdMesh has one if its prop `operator` is set. */
  readonly operator: ReconcilerOperator<V> | undefined;

  /**
   * Name of the LinkerdConfig. To change it, delete the old one in the cluster first: the operator's webhook refuses a
   * second one.
   *
   * @default 'linkerd'
   */
  readonly name?: string;

  /**
   * Values of the control plane's chart that override those of the installation. Only values that the injector reads
   * have an effect, because other components do not read the ConfigMap. Pods with the label
   * `config.linkerd.io/reconcile: auto` restart when these values change.
   *
   * @default - none: the operator only keeps the installed configuration
   */
  readonly values?: ControlPlaneValues<V>;

  /**
   * What to do with the configuration when the LinkerdConfig is deleted: keep it, or restore the installed values.
   *
   * @default 'Retain'
   */
  readonly deletionPolicy?: DeletionPolicy;

  /**
   * Maximum number of workloads that restart at a time, up to 1,000.
   *
   * @default 1
   */
  readonly maxUnavailableWorkloads?: number;

  /**
   * How long a restart may take: at least as long as the slowest rollout. After this time, a workload whose new pods
   * do not start stops all further restarts; another unfinished workload gives its slot to the next one.
   *
   * @default Duration.minutes(10)
   */
  readonly progressDeadline?: DurationLike;
}

const PROPS = keysOf<LinkerdConfigProps<LinkerdVersion>>({
  operator: OPERATOR,
  name: true,
  values: FREE,
  deletionPolicy: true,
  maxUnavailableWorkloads: NUMBER,
  progressDeadline: DURATION,
});

/**
 * The configuration of a running mesh, which the operator applies.
 *
 * @example
 * new LinkerdConfig(home, 'config', { operator, values: { proxy: { logLevel: 'warn,linkerd=debug' } } });
 */
export class LinkerdConfig<V extends LinkerdVersion = LinkerdVersion> extends Construct {
  readonly name: string;

  constructor(scope: Construct, id: string, props: LinkerdConfigProps<V>) {
    super(scope, id);
    const given = propsOf<LinkerdConfigProps<V>>(this, PROPS, props);
    const { operator } = given;
    this.name = given.name ?? 'linkerd';
    if (operator === undefined) {
      addRule(this, () => [OPERATOR_FINDINGS.operatorMissing()]);
      return;
    }
    setHomeNamespace(this, operator.namespace);
    const instead = Duration.seconds(CONFIG_DEFAULTS.progressDeadlineSeconds);
    const deadline = propOfClass(this, 'Duration', {
      field: 'progressDeadline',
      value: given.progressDeadline,
      instead,
    });
    const values = propOfMap(this, 'values', given.values);
    const spec: LinkerdConfigSpec = {
      ...CONFIG_DEFAULTS,
      controlPlaneNamespace: operator.controlPlane.namespace,
      ...defined({
        deletionPolicy: given.deletionPolicy,
        maxUnavailableWorkloads: given.maxUnavailableWorkloads,
        progressDeadlineSeconds: deadline.toSeconds({ integral: false }),
        values: values && plainValues(this, values),
      }),
    };
    const first = operator.addConfig(this);
    if (first === undefined) {
      const { values: changed, ...rest } = spec;
      const resource = manifest(this, 'resource', {
        apiVersion: `${CONFIG_GROUP}/v1alpha1`,
        kind: 'LinkerdConfig',
        metadata: { name: this.name },
        spec: rest,
      });
      // A patch, because cdk8s drops nulls, and a null among values removes a value of the installation.
      if (changed !== undefined) resource.addJsonPatch(JsonPatch.add('/spec/values', changed));
    }
    dependsOn(this, operator, operator.controlPlane);
    const { release } = operator.controlPlane;
    for (const warning of configValueWarnings(spec.values ?? {}, release)) addRule(this, () => [warning]);
    addRule(this, () => [
      ...checkDnsSubdomain('name', this.name),
      ...checkConfigValues(spec.values ?? {}, operator.controlPlane),
      ...checkDeletionPolicy(spec.deletionPolicy),
      ...checkWhole('maxUnavailableWorkloads', spec.maxUnavailableWorkloads, MAX_UNAVAILABLE_WORKLOADS),
      ...checkWhole('progressDeadline in seconds', spec.progressDeadlineSeconds),
      ...(first === undefined ? [] : [OPERATOR_FINDINGS.secondOperatorConfig({ first: first.node.path })]),
    ]);
  }
}

function checkConfigValues<V extends LinkerdVersion>(
  given: Values,
  { release, effectiveValues, cni }: ILinkerdControlPlane<V>,
): readonly Problem[] {
  const why = 'The API server refuses the LinkerdConfig, or drops the fields that it does not know';
  const values = knownValues(given);
  const chart = release.charts.controlPlane;
  // Values that the chart refuses are left out, because the injector cannot parse them.
  const accepted = replaceValues(values, misfitPaths(chart, values), {});
  const problems = checkInstalledValues(accepted, {
    injector: releaseInjector(release),
    controlPlane: effectiveValues,
    cni: cni?.effectiveValues,
  });
  return [...checkValues(chart, values).map((problem) => ({ ...problem, why })), ...problems];
}

const DELETION_POLICIES: readonly DeletionPolicy[] = ['Retain', 'Restore'];

function checkDeletionPolicy(policy: DeletionPolicy): readonly Problem[] {
  if (DELETION_POLICIES.includes(policy)) return [];
  const parameters = { policy: String(JSON.stringify(policy)), known: DELETION_POLICIES.join(', ') };
  return [OPERATOR_FINDINGS.operatorSettingRefusedDeletionPolicy(parameters)];
}

/** The largest int32, the type of whole numbers in APIs of Kubernetes. */
const MAX = 2 ** 31 - 1;

function checkWhole(field: string, value: number, most = MAX): readonly Problem[] {
  if (Number.isInteger(value) && value >= 1 && value <= most) return [];
  return [OPERATOR_FINDINGS.operatorSettingRefusedWholeNumber({ field, value, most })];
}

interface InstalledValues {
  readonly injector: Injector;
  readonly controlPlane: Values;
  /** Absent without a plugin. */
  readonly cni?: Values | undefined;
}

const NONE: Values = {};

/** Checks values that a LinkerdConfig sets over those of the installation, except their types. */
export function checkInstalledValues(
  values: Values,
  { injector, controlPlane, cni = NONE }: InstalledValues,
): readonly Problem[] {
  const check = checksFor(injector);
  const known = new Set(check(controlPlane, cni).map(({ what }) => what));
  const decided = DECIDED_VALUES.filter((path) => valueAt(values, path) !== undefined);
  const own = [
    ...decided.map((path) => OPERATOR_FINDINGS.valueSetElsewhere({ path }, { about: `values.${path}` })),
    ...checkRelease(values, controlPlane),
  ];
  const ruled = [...DECIDED_VALUES.map((path) => [path]), ['linkerdVersion']];
  const changed = overDefaults(controlPlane, knownValues(replaceValues(values, ruled, {})));
  // The control plane reports the problems of its own values.
  return [...own, ...check(changed, cni).filter(({ what }) => !known.has(what))];
}

/** Returns warnings about valid values of a LinkerdConfig. */
export function configValueWarnings(values: Values, release: Release): readonly Warning[] {
  return [...idleValueWarnings(values, release), ...proxyVersionWarnings(values, release), ...releaseWarnings(release)];
}

/** The operator derives the injector from the version alone, without `injectorLike`. */
function releaseWarnings({ version, injectorLike: like, charts }: Release): readonly Warning[] {
  const group = releaseGroup(version);
  if (group === releaseGroup(charts.controlPlane.valuesOf)) return [];
  return [OPERATOR_FINDINGS.operatorReleaseDiffers({ version, like, group })];
}

/** Warns of a proxy image of another version: it may be a separately released fix, or a typo. */
function proxyVersionWarnings(values: Values, { version }: Release): readonly Warning[] {
  const proxies = valueAt(values, 'proxy.image.version');
  if (typeof proxies !== 'string' || !isImageTag(proxies) || proxies === version) return [];
  return [OPERATOR_FINDINGS.proxyVersion({ proxies: JSON.stringify(proxies), version })];
}

function idleValueWarnings(values: Values, { charts }: Release): readonly Warning[] {
  const isRefused = (path: string) =>
    DECIDED_VALUES.some((decided) => path === decided || path.startsWith(`${decided}.`));
  const idle = componentValuesIn(values, charts.controlPlane.valuesOf).filter((path) => !isRefused(path));
  return idle.length === 0 ? [] : [OPERATOR_FINDINGS.configValuesUnused({ paths: idle.join(', ') })];
}

const checksFor = remembered((injector: Injector) =>
  rememberedOfBoth((values: Values, cni: Values): readonly Problem[] => [
    ...checkKeyMaterialValues(values),
    ...checkInjection(values, injector),
    ...checkCniAgreement(values, cni),
  ]),
);
