import { Construct, type IConstruct } from 'constructs';
import { HelmRelease } from '../helm/helm-release';
import type { Values } from '../helm/values';
import { setHomeNamespace } from '../platform/manifest';
import type { CrdsValues } from './chart-values';
import { chartsOf, DEFAULT_LINKERD_VERSION, type DefaultLinkerdVersion, type LinkerdVersion } from './versions';

/** Folder and release namespace of the CRDs. The chart has cluster-scoped objects only, so no Namespace is made. */
const NAMESPACE = 'linkerd-crds';

/** Linkerd's CRDs, installed by us or by someone else. */
export interface ILinkerdCrds extends IConstruct {
  readonly version: LinkerdVersion;
}

/** Which CRDs. */
export interface LinkerdCrdsProps<V extends LinkerdVersion> {
  /**
   * Linkerd release of the CRDs; that of the control plane.
   *
   * @default 'edge-26.8.3'
   */
  readonly version?: V;

  /**
   * Further values of the chart. Linkerd routes by the CRDs of the Gateway API, which many clusters have already; where
   * nobody installs them, `installGatewayAPI: true` (edge) does. 2.14 brings HTTPRoute along unless
   * `enableHttpRoutes: false`.
   *
   * @default - the chart's own
   */
  readonly values?: CrdsValues<V>;
}

/** The custom resources of Linkerd, from the chart linkerd-crds. */
export class LinkerdCrds<V extends LinkerdVersion = DefaultLinkerdVersion> extends Construct implements ILinkerdCrds {
  /** CRDs that are in the cluster already. */
  static fromExisting(
    scope: Construct,
    id: string,
    { version = DEFAULT_LINKERD_VERSION }: { readonly version?: LinkerdVersion } = {},
  ): ILinkerdCrds {
    return Object.assign(new Construct(scope, id), { version });
  }

  readonly version: LinkerdVersion;

  constructor(scope: Construct, id: string, props: LinkerdCrdsProps<V> = {}) {
    super(scope, id);
    setHomeNamespace(this, NAMESPACE);
    this.version = props.version ?? DEFAULT_LINKERD_VERSION;
    new HelmRelease(this, 'chart', {
      chart: chartsOf(this.version).crds,
      namespace: NAMESPACE,
      fromProps: {},
      values: props.values as Values | undefined,
    });
  }
}
