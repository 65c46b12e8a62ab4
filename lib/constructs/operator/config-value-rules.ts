import { componentValuesIn } from '../../../operator/api/component-values';
import { checkInjection } from '../../../operator/api/injection/check-injection';
import type { Injector } from '../../../operator/api/injection/injector';
import { checkRelease } from '../../../operator/api/injection/release';
import { isImageTag } from '../../../operator/api/kubernetes/image-reference';
import { releaseGroup } from '../../../operator/api/release-group';
import type { Problem } from '../../kubernetes/findings/problem';
import { remembered, rememberedOfBoth } from '../../kubernetes/remembered';
import { replaceValues, type Values, valueAt } from '../../kubernetes/values';
import { overDefaults } from '../../linkerd/charts/known-values';
import type { Release } from '../../linkerd/releases/release';
import type { Warning } from '../../linkerd/warnings';
import { checkCniAgreement } from '../control-plane/cni-agreement';
import { checkKeyMaterialValues } from '../control-plane/key-material-rules';
import { OPERATOR_FINDINGS } from './findings';

/** Values that other parts of the installation go by, too, and where they are decided. */
const DECIDED: readonly (readonly [path: string, fix: string])[] = [
  ['clusterDomain', 'set the domain of the cluster'],
  ['cniEnabled', 'set the prop cni of LinkerdControlPlane'],
  ['identityTrustDomain', 'set trustDomain of CertManagerPKI'],
  ['identity', 'set the prop of CertManagerPKI'],
];

/** The installation that values are laid over. */
export interface InstalledValues {
  /** The proxy injector of the control plane. */
  readonly injector: Injector;
  /** All values of the control plane's chart. */
  readonly controlPlane: Values;
  /** Those of the CNI plugin's; absent where there is none. */
  readonly cni?: Values | undefined;
}

const NONE: Values = {};

/** Checks values that a LinkerdConfig lays over those of the installation, other than their types. */
export function checkInstalledValues(
  values: Values,
  { injector, controlPlane, cni = NONE }: InstalledValues,
): readonly Problem[] {
  const check = checksFor(injector);
  const known = new Set(check(controlPlane, cni).map(({ what }) => what));
  const decided = DECIDED.filter(([path]) => valueAt(values, path) !== undefined);
  const own = [
    ...decided.map(([path, instead]) =>
      OPERATOR_FINDINGS.valueDecidedElsewhere({ path, instead }, { about: `values.${path}` }),
    ),
    ...checkRelease(values, controlPlane),
  ];
  const ruled = [...DECIDED.map(([path]) => [path]), ['linkerdVersion']];
  const changed = overDefaults(controlPlane, replaceValues(values, ruled, {}));
  // What is wrong about the installation is reported there.
  return [...own, ...check(changed, cni).filter(({ what }) => !known.has(what))];
}

/** Warnings about values of a LinkerdConfig that work. */
export function configValueWarnings(values: Values, release: Release): readonly Warning[] {
  return [...idleValueWarnings(values, release), ...proxyVersionWarnings(values, release), ...releaseWarnings(release)];
}

/** All that the operator knows of a release is its version. */
function releaseWarnings({ version, like, charts }: Release): readonly Warning[] {
  const group = releaseGroup(version);
  if (group === releaseGroup(charts.controlPlane.valuesOf)) return [];
  return [OPERATOR_FINDINGS.releaseTakenOtherwise({ version, like, group })];
}

/** A fix of the proxy comes in an image of its own; a typo does, too. */
function proxyVersionWarnings(values: Values, { version }: Release): readonly Warning[] {
  const proxies = valueAt(values, 'proxy.image.version');
  if (typeof proxies !== 'string' || !isImageTag(proxies) || proxies === version) return [];
  return [OPERATOR_FINDINGS.proxyVersion({ proxies: JSON.stringify(proxies), version })];
}

function idleValueWarnings(values: Values, { charts }: Release): readonly Warning[] {
  const isRefused = (path: string) => DECIDED.some(([decided]) => path === decided || path.startsWith(`${decided}.`));
  const idle = componentValuesIn(values, charts.controlPlane.valuesOf).filter((path) => !isRefused(path));
  return idle.length === 0 ? [] : [OPERATOR_FINDINGS.idleValues({ paths: idle.join(', ') })];
}

const checksFor = remembered((injector: Injector) =>
  rememberedOfBoth((values: Values, cni: Values): readonly Problem[] => [
    ...checkKeyMaterialValues(values),
    ...checkInjection(values, injector),
    ...checkCniAgreement(values, cni),
  ]),
);
