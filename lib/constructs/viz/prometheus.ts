import type { Size } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { checkClass, isOfClass } from '#kubernetes/options/cdk8s-values';
import { checkGoDuration, type DurationLike, goDuration, milliseconds } from '#kubernetes/options/duration-like';
import { DURATION, each, FREE, keysOf, kinds } from '#kubernetes/options/known-keys';
import { CONTAINER_RESOURCES, checkResources, type Resources } from '#linkerd/container-resources';
import { VIZ_FINDINGS } from './findings';

/** A ServiceAccount. Its pods have a mesh identity of that name. */
export interface ServiceAccountRef {
  /** Namespace of the ServiceAccount. */
  readonly namespace: string;
  /** Name of the ServiceAccount. */
  readonly name: string;
}

/** A volume for the samples of Viz's own Prometheus. */
export interface PrometheusPersistence {
  /** Size of the volume. */
  readonly size: Size;
  /**
   * StorageClass of the volume.
   *
   * @default - the cluster's default class
   */
  readonly storageClass?: string;
  /**
   * Access mode of the volume.
   *
   * @default 'ReadWriteOnce'
   */
  readonly accessMode?: 'ReadWriteOnce' | 'ReadWriteOncePod' | 'ReadWriteMany';
}

/** Settings of Viz's own Prometheus. */
export interface EmbeddedPrometheusProps {
  /**
   * How long samples are kept.
   *
   * @default Duration.hours(6) - the chart's
   */
  readonly retention?: DurationLike;

  /**
   * CPU and memory of the Prometheus container.
   *
   * @default - none; with high availability 300m CPU and 300Mi memory requested, 8192Mi memory at most
   */
  readonly resources?: Resources;

  /**
   * A volume that outlives the pod.
   *
   * @default - samples are lost with the pod
   */
  readonly persistence?: PrometheusPersistence;

  /**
   * Additional accounts that may query it: of a Grafana that uses it as a data source, or of a Prometheus that
   * federates from it. All must be meshed. See https://linkerd.io/2-edge/tasks/grafana/ and
   * https://linkerd.io/2-edge/tasks/exporting-metrics/
   *
   * @default - only Viz's metrics-api
   */
  readonly readers?: readonly ServiceAccountRef[];
}

/** Props of an existing Prometheus, by its URL. */
export interface PrometheusUrlProps {
  /** URL of its API, such as `http://prometheus.monitoring.svc.cluster.local:9090`, including a path prefix. */
  readonly url: string;

  /**
   * Name of the Secret in namespace linkerd-viz with the keys `user` and `password`, for a Prometheus with basic
   * authentication. Not supported by Linkerd 2.14.
   *
   * @default - no authentication
   */
  readonly credentialsSecret?: string;

  /**
   * The identity of a meshed Prometheus: only this client may then read the metrics of the proxies in linkerd-viz.
   *
   * @default - any client, meshed or not, as in Linkerd's guide
   */
  readonly scraper?: ServiceAccountRef;
}

/** The Prometheus that Viz queries. Viz always has exactly one. */
export type Prometheus =
  | (EmbeddedPrometheusProps & { readonly kind: 'embedded' })
  | (PrometheusUrlProps & { readonly kind: 'url' });

/** The keys of ServiceAccountRef. */
export const SERVICE_ACCOUNT = keysOf<ServiceAccountRef>({ namespace: true, name: true });
const EMBEDDED = keysOf<Extract<Prometheus, { kind: 'embedded' }>>({
  kind: true,
  retention: DURATION,
  resources: CONTAINER_RESOURCES,
  persistence: keysOf<PrometheusPersistence>({ size: FREE, storageClass: true, accessMode: true }),
  readers: each(SERVICE_ACCOUNT),
});
const BY_URL = keysOf<Extract<Prometheus, { kind: 'url' }>>({
  kind: true,
  url: true,
  credentialsSecret: true,
  scraper: SERVICE_ACCOUNT,
});

/** The keys of a Prometheus. */
export const PROMETHEUS = kinds('Prometheus.embedded() or Prometheus.fromUrl({ url })', {
  embedded: EMBEDDED,
  url: BY_URL,
});

/** The source of Viz's metrics. */
export const Prometheus = {
  /** A Prometheus that Viz installs, which keeps samples for some hours. */
  embedded: (props: EmbeddedPrometheusProps = {}): Prometheus => ({ ...props, kind: 'embedded' }),
  /**
   * An existing Prometheus, such as that of kube-prometheus-stack. It must scrape the mesh: by the `monitoring` of the
   * control plane, or as in https://linkerd.io/2-edge/tasks/external-prometheus/ Synth warns if it does neither.
   */
  fromUrl: (props: PrometheusUrlProps): Prometheus => ({ ...props, kind: 'url' }),
};

/** Returns the chart values of a Prometheus. */
export function prometheusValues(prometheus: Prometheus): Values {
  if (prometheus.kind === 'url') {
    return {
      prometheus: { enabled: false },
      prometheusUrl: prometheus.url,
      prometheusCredsSecret: prometheus.credentialsSecret,
    };
  }
  const { retention, resources, persistence } = prometheus;
  return {
    prometheus: {
      enabled: true,
      // `checkPrometheus` reports durations that Go cannot represent.
      args:
        retention === undefined || checkGoDuration('retention', retention).length > 0
          ? undefined
          : { 'storage.tsdb.retention.time': goDuration(retention) },
      resources,
      // `checkPrometheus` reports other values.
      persistence: isOfClass('Size', persistence?.size)
        ? {
            size: persistence.size.asString(),
            accessMode: persistence.accessMode ?? 'ReadWriteOnce',
            storageClass: persistence.storageClass,
          }
        : undefined,
    },
  };
}

/** Checks a Prometheus, except its URL, which is checked with the values. */
export function checkPrometheus(prometheus: Prometheus): Problem[] {
  if (prometheus.kind === 'url') {
    const { credentialsSecret, scraper } = prometheus;
    return [
      ...(credentialsSecret === undefined ? [] : checkDnsSubdomain('prometheus.credentialsSecret', credentialsSecret)),
      ...(scraper === undefined ? [] : checkServiceAccount('prometheus.scraper', scraper)),
    ];
  }
  const { retention, resources, persistence, readers = [] } = prometheus;
  return [
    ...(retention === undefined ? [] : checkRetention(retention)),
    ...(resources === undefined ? [] : checkResources('prometheus.resources', resources)),
    ...(persistence === undefined ? [] : checkClass('Size', 'prometheus.persistence.size', persistence.size ?? null)),
    ...(persistence?.storageClass === undefined
      ? []
      : checkDnsSubdomain('prometheus.persistence.storageClass', persistence.storageClass)),
    ...readers.flatMap((reader, index) => checkServiceAccount(`prometheus.readers[${index}]`, reader)),
  ];
}

function checkRetention(retention: DurationLike): Problem[] {
  const problems = checkGoDuration('prometheus.retention', retention);
  if (problems.length > 0) return problems;
  const ms = milliseconds(retention);
  return ms > 0 ? [] : [VIZ_FINDINGS.vizValueRefusedRetention({ milliseconds: ms })];
}

function checkServiceAccount(field: string, { namespace, name }: ServiceAccountRef): Problem[] {
  return [...checkDnsLabel(`${field}.namespace`, namespace), ...checkDnsSubdomain(`${field}.name`, name)];
}
