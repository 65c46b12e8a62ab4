import type { Values } from '#base/values';
import { keysOf, kinds } from '#kubernetes/options/known-keys';

/** Props of a Grafana that the dashboard reaches by its Service. */
export interface GrafanaServiceProps {
  /**
   * Address of its Service as `host` or `host:port`, without a scheme. Grafana must serve from the sub-path `/grafana/`
   * (`root_url = %(protocol)s://%(domain)s:/grafana/`), from which the dashboard forwards to it.
   *
   * See https://linkerd.io/2-edge/tasks/grafana/#in-cluster-grafana-instances
   */
  readonly url: string;
}

/** Props of a Grafana that browsers reach by its URL. */
export interface GrafanaUrlProps {
  /** The full URL, such as `https://example.grafana.net/`. */
  readonly url: string;
  /**
   * Prefix of the UIDs of this mesh's dashboards, in a Grafana that serves several meshes: letters, digits, `-` and
   * `_`.
   *
   * @default - no prefix
   */
  readonly uidPrefix?: string;
}

/** An existing Grafana: behind a Service of the cluster, or at a URL. */
export type Grafana =
  | (GrafanaServiceProps & { readonly kind: 'service' })
  | (GrafanaUrlProps & { readonly kind: 'url' });

const SERVICE = keysOf<GrafanaServiceProps & { readonly kind: 'service' }>({ kind: true, url: true });
const URL_PROPS = keysOf<GrafanaUrlProps & { readonly kind: 'url' }>({
  kind: true,
  url: true,
  uidPrefix: true,
});

/** The keys of a Grafana. */
export const GRAFANA = kinds('Grafana.fromService({ url }) or Grafana.fromUrl({ url })', {
  service: SERVICE,
  url: URL_PROPS,
});

/** The Grafana that the dashboard links to. */
export const Grafana = {
  /** A Grafana behind a Service of the cluster. The dashboard forwards `/grafana` to it. */
  fromService: (props: GrafanaServiceProps): Grafana => ({ ...props, kind: 'service' }),
  /** A Grafana that browsers reach by its URL. The dashboard links to it. */
  fromUrl: (props: GrafanaUrlProps): Grafana => ({ ...props, kind: 'url' }),
};

/** Returns the chart values of a Grafana. */
export function grafanaValues(grafana: Grafana): Values {
  return grafana.kind === 'service' ? { url: grafana.url } : { externalUrl: grafana.url, uidPrefix: grafana.uidPrefix };
}
