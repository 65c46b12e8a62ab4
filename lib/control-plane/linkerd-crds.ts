import { Construct, type IConstruct } from 'constructs';
import { addChart } from '../charts/chart-release';
import { crdsChart, HTTP_ROUTES } from '../charts/linkerd-crds/chart';
import type { Warning } from '../problems/warning';
import type { CrdsValues } from '../releases/chart-values';
import {
  type DefaultLinkerdVersion,
  type GivenRelease,
  type LinkerdVersion,
  type Release,
  releaseOf,
} from '../releases/release';
import type { Values } from '../releases/values';
import { addWarning } from '../tree/add-rule';
import { defaultRelease } from '../tree/cluster';
import { setHomeNamespace } from '../tree/home-namespace';
import { declarationsOf, declareReferences } from '../tree/references';

/** Linkerd's CRDs, installed by us or by someone else. */
export interface ILinkerdCrds extends IConstruct {
  readonly release: Release;
}

/** The origin of the CRDs of the Gateway API, by which Linkerd routes: `install` with Linkerd's, or there already. */
export type GatewayApi = 'install' | 'existing';

/** Props of LinkerdCrds. */
export interface LinkerdCrdsProps<V extends LinkerdVersion> {
  /**
   * Linkerd release of the CRDs; that of the control plane.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease<V>;

  /**
   * The origin of the CRDs of the Gateway API: `install` brings them along, `existing` says that the cluster has them,
   * of version 1.2 or newer for edge. The control plane watches them, and does not become ready without. Install them
   * in one place only: two would take them from each other.
   *
   * @default - with 2.14 they are installed; else nobody knows, and there is a warning
   */
  readonly gatewayApi?: GatewayApi | undefined;

  /**
   * Further values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: CrdsValues<V>;
}

/** Props of the CRDs that a control plane brings along, in its own release. */
export type LinkerdCrdsOptions<V extends LinkerdVersion> = Omit<LinkerdCrdsProps<V>, 'version'>;

/** The custom resources of Linkerd, from the chart linkerd-crds. */
export class LinkerdCrds<V extends LinkerdVersion = DefaultLinkerdVersion> extends Construct implements ILinkerdCrds {
  /** CRDs that are in the cluster already. */
  static fromExisting(
    scope: Construct,
    id: string,
    { version = defaultRelease(scope) }: { readonly version?: GivenRelease } = {},
  ): ILinkerdCrds {
    return Object.assign(new Construct(scope, id), { release: releaseOf(version) });
  }

  readonly release: Release;

  constructor(scope: Construct, id: string, props: LinkerdCrdsProps<V> = {}) {
    super(scope, id);
    this.release = releaseOf<LinkerdVersion>(props.version ?? defaultRelease(this));
    const chart = crdsChart(this.release);
    // The chart has cluster-scoped objects only: no Namespace is made.
    const { namespace } = chart;
    setHomeNamespace(this, namespace);
    addChart(this, 'chart', {
      chart,
      namespace,
      fromProps: props.gatewayApi === undefined ? {} : gatewayApiValues(this.release, props.gatewayApi),
      values: props.values as Values | undefined,
    });
    if (isSaidToExist(this.release, props)) declareReferences(this, { external: [HTTP_ROUTES] });
    if (props.gatewayApi === undefined && !isDecided(this, props.values as Values | undefined)) {
      addWarning(this, unknownGatewayApi(this.release));
    }
  }
}

/** Tells whether the chart's values, or what the cluster declares as external, say where the CRDs come from. */
function isDecided(crds: LinkerdCrds<LinkerdVersion>, values: Values = {}): boolean {
  const { installed, installedBy } = crds.release.groups.crds.templates.gatewayApi;
  if (installed || values[installedBy] !== undefined) return true;
  return crds.node.scopes
    .flatMap(declarationsOf)
    .flatMap(({ external = [] }) => external)
    .some(({ kind, name }) => kind === HTTP_ROUTES.kind && name === HTTP_ROUTES.name);
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

function unknownGatewayApi(release: Release): Warning {
  return {
    code: 'crds-undeclared',
    what: `Nobody says whether the cluster has the CRDs of the Gateway API, which ${release.version} does not bring along by itself`,
    why: 'The control plane watches HTTPRoutes of the Gateway API: without their CRDs linkerd-destination does not become ready',
    fix: "set gatewayApi of LinkerdCrds (crds of LinkerdControlPlane and LinkerdMesh) to 'install', or to 'existing' where something else installs them",
  };
}
