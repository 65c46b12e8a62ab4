import { keysOf, kinds } from '../../kubernetes/known-keys';
import type { Values } from '../../kubernetes/values';

/** A Grafana in the same cluster. */
export interface InClusterGrafanaProps {
  /**
   * Address of its Service as `host` or `host:port`, without a scheme. Grafana must serve from the sub-path `/grafana/`
   * (`root_url = %(protocol)s://%(domain)s:/grafana/`), since the dashboard forwards to it from there.
   *
   * See https://linkerd.io/2-edge/tasks/grafana/#in-cluster-grafana-instances
   */
  readonly url: string;
}

/** A Grafana that browsers reach by themselves. */
export interface ExternalGrafanaProps {
  /** Its full URL, such as `https://example.grafana.net/`. */
  readonly url: string;
  /**
   * Prefix of the UIDs of this mesh's dashboards, in a Grafana that serves several meshes: letters, digits, `-` and
   * `_`.
   *
   * @default - no prefix
   */
  readonly uidPrefix?: string;
}

/** The Grafana that the dashboard links to: one in the cluster or one outside, never both. */
export type Grafana =
  | (InClusterGrafanaProps & { readonly kind: 'in-cluster' })
  | (ExternalGrafanaProps & { readonly kind: 'external' });

const IN_CLUSTER = keysOf<InClusterGrafanaProps & { readonly kind: 'in-cluster' }>({ kind: true, url: true });
const EXTERNAL = keysOf<ExternalGrafanaProps & { readonly kind: 'external' }>({
  kind: true,
  url: true,
  uidPrefix: true,
});

/** The keys of a Grafana. */
export const GRAFANA = kinds('Grafana.inCluster({ url }) or Grafana.external({ url })', {
  'in-cluster': IN_CLUSTER,
  external: EXTERNAL,
});

/** The Grafana that the dashboard links to. */
export const Grafana = {
  /** Through the dashboard, which forwards `/grafana` to a Service of the cluster. */
  inCluster: (props: InClusterGrafanaProps): Grafana => ({ ...props, kind: 'in-cluster' }),
  /** A Grafana to which links lead straight, by its URL. */
  external: (props: ExternalGrafanaProps): Grafana => ({ ...props, kind: 'external' }),
};

/** The chart values of a Grafana. */
export function grafanaValues(grafana: Grafana): Values {
  return grafana.kind === 'in-cluster'
    ? { url: grafana.url }
    : { externalUrl: grafana.url, uidPrefix: grafana.uidPrefix };
}
