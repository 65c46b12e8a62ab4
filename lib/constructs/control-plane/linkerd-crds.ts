import { Construct, type IConstruct } from 'constructs';
import type { Values } from '#base/values';
import { FREE, keysOf, keysWithout, part, partOr } from '#kubernetes/options/known-keys';
import type { CrdsValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { GivenRelease, Release } from '#linkerd/releases/release';
import { crdsChart, HTTP_ROUTES } from '#linkerd/renderers/linkerd-crds/chart';
import type { Warning } from '../../checks/warnings';
import { addChart } from '../../gitops/charts/chart-release';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import type { Surroundings } from '../../gitops/tree/read-tree';
import { declareReferences } from '../../gitops/tree/references';
import { propOfRelease } from './default-release';
import { CONTROL_PLANE_FINDINGS } from './findings';

/** Linkerd's CRDs, installed by this library or not. */
export interface ILinkerdCrds extends IConstruct {
  readonly release: Release;
}

/**
 * Where the CRDs of the Gateway API, which Linkerd uses for routes, come from: `install` installs them with Linkerd's,
 * `existing` expects them in the cluster.
 */
export type GatewayApi = 'install' | 'existing';

/** Props of LinkerdCrds. */
export interface LinkerdCrdsProps<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * Linkerd release of the CRDs: the same as the control plane's.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease<V>;

  /**
   * Where the CRDs of the Gateway API come from: `install` installs them, `existing` expects them in the cluster, of
   * version 1.2 or newer for edge. If they are missing when the policy controller starts, it ignores their routes until
   * its next start; that of 2.14 does not become ready. Install them with one tool only: two tools would overwrite each
   * other's CRDs.
   *
   * @default - 2.14 installs them; otherwise unknown, with a warning
   */
  readonly gatewayApi?: GatewayApi | undefined;

  /**
   * Additional values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: CrdsValues<V>;
}

/** Linkerd's CRDs, installed elsewhere. */
export interface ExistingLinkerdCrdsProps {
  /**
   * Linkerd release of the CRDs: the same as the control plane's.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease;

  /**
   * The cluster also has the CRDs of the Gateway API, of version 1.2 or newer for edge.
   *
   * @default - unknown, with a warning, except for Linkerd 2.14, whose CRDs include them
   */
  readonly gatewayApi?: 'existing';
}

/** Props of the CRDs that a control plane installs, of its own release. */
export type LinkerdCrdsOptions<V extends LinkerdVersion = LinkerdVersion> = Omit<LinkerdCrdsProps<V>, 'version'>;

const PROPS = keysOf<LinkerdCrdsProps<LinkerdVersion>>({ version: FREE, gatewayApi: true, values: FREE });
const OPTIONS = keysWithout(PROPS, 'version');
const EXISTING = keysOf<ExistingLinkerdCrdsProps>({ version: FREE, gatewayApi: true });

/** Existing CRDs, or the keys of LinkerdCrdsOptions. */
export const CRDS = partOr(part('a LinkerdCrds', 'release', 'node'), OPTIONS);

/**
 * Linkerd's CustomResourceDefinitions, from the chart linkerd-crds.
 *
 * @example
 * const crds = new LinkerdCrds(home, 'crds', { gatewayApi: 'install' });
 */
export class LinkerdCrds<V extends LinkerdVersion = LinkerdVersion> extends Construct implements ILinkerdCrds {
  /**
   * Returns the CRDs that are already in the cluster. If they include those of the Gateway API, set `gatewayApi:
   * 'existing'`.
   */
  static fromExisting(scope: Construct, id: string, props: ExistingLinkerdCrdsProps = {}): ILinkerdCrds {
    const existing = new Construct(scope, id);
    const { version, gatewayApi } = propsOf<ExistingLinkerdCrdsProps>(existing, EXISTING, props);
    const crds = Object.assign(existing, { release: propOfRelease(existing, version) });
    if (gatewayApi === undefined) addRule(crds, (around) => gatewayApiWarnings(crds.release, around));
    return crds;
  }

  readonly release: Release;

  constructor(scope: Construct, id: string, props: LinkerdCrdsProps<V> = {}) {
    super(scope, id);
    const given = propsOf<LinkerdCrdsProps<V>>(this, PROPS, props);
    this.release = propOfRelease<LinkerdVersion>(this, given.version);
    const chart = crdsChart(this.release);
    // The chart has cluster-scoped objects only, so no Namespace is created.
    const { namespace } = chart;
    setHomeNamespace(this, namespace);
    addChart(this, 'chart', {
      chart,
      namespace,
      fromProps: given.gatewayApi === undefined ? {} : gatewayApiValues(this.release, given.gatewayApi),
      values: given.values as Values | undefined,
    });
    if (isSaidToExist(this.release, given)) declareReferences(this, { external: [HTTP_ROUTES] });
    const { installedBy } = this.release.groups.crds.templates.gatewayApi;
    const isDecided = ((given.values ?? {}) as Values)[installedBy] !== undefined;
    if (given.gatewayApi === undefined && !isDecided) {
      addRule(this, (around) => gatewayApiWarnings(this.release, around));
    }
  }
}

function gatewayApiWarnings(release: Release, { objects, declarations }: Surroundings): readonly Warning[] {
  const isHere =
    release.groups.crds.templates.gatewayApi.installed ||
    objects.some(({ object }) => object.kind === HTTP_ROUTES.kind && object.metadata.name === HTTP_ROUTES.name) ||
    declarations
      .flatMap(({ declarations: { provides = [], external = [] } }) => [...provides, ...external])
      .some(({ kind, name }) => kind === HTTP_ROUTES.kind && name === HTTP_ROUTES.name);
  return isHere ? [] : [CONTROL_PLANE_FINDINGS.gatewayApiUndeclared({ version: release.version })];
}

function isSaidToExist<V extends LinkerdVersion>(
  release: Release,
  { gatewayApi, values }: LinkerdCrdsProps<V>,
): boolean {
  const { installedBy } = release.groups.crds.templates.gatewayApi;
  return gatewayApi === 'existing' || (values as Values | undefined)?.[installedBy] === false;
}

function gatewayApiValues(release: Release, gatewayApi: GatewayApi): Values {
  return { [release.groups.crds.templates.gatewayApi.installedBy]: gatewayApi === 'install' };
}
