import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { checkDnsLabel, checkDnsSubdomain, checkPort } from '#kubernetes/names';
import { BOOLEAN, keysOf, NUMBER } from '#kubernetes/options/known-keys';
import { TRACING_FINDINGS } from './findings';

/** A Tempo that receives traces. */
export interface TempoProps {
  /** Name of the Service that receives spans: the distributor's, or Tempo's own if it runs as one process. */
  readonly service: string;

  /** Namespace of Tempo. */
  readonly namespace: string;

  /** Name of the ServiceAccount of the pods behind the Service: proxies send spans to this mesh identity only. */
  readonly serviceAccount: string;

  /**
   * Ports of the Service.
   *
   * @default - those of the protocols
   */
  readonly ports?: {
    /**
     * OTLP over gRPC, which proxies of the current Linkerd use.
     *
     * @default 4317
     */
    readonly otlp?: number;
    /**
     * OpenCensus, which proxies of Linkerd 2.14 use. Tempo must have the receiver `opencensus` enabled.
     *
     * @default 55678
     */
    readonly openCensus?: number;
  };

  /**
   * Where Tempo shows traces in Jaeger's user interface, to which the dashboard forwards `/jaeger`: the container
   * `tempo-query`, with the environment variable `QUERY_BASE_PATH=/jaeger`.
   *
   * @default - the dashboard does not link to traces
   */
  readonly query?: {
    /** Name of the Service, in the namespace of Tempo. */
    readonly service: string;
    /**
     * Port of Jaeger's user interface.
     *
     * @default 16686
     */
    readonly port?: number;
  };

  /**
   * Emit Tempo's Namespace, with injection enabled. Proxies send spans by mTLS to Tempo's mesh identity, so its pods
   * must be meshed before any proxy sends. With `false`, add them to the mesh yourself.
   *
   * @default true
   */
  readonly meshNamespace?: boolean;
}

/** The keys of TempoProps. */
export const TEMPO_PROPS = keysOf<TempoProps>({
  service: true,
  namespace: true,
  serviceAccount: true,
  ports: keysOf<NonNullable<TempoProps['ports']>>({ otlp: NUMBER, openCensus: NUMBER }),
  query: keysOf<NonNullable<TempoProps['query']>>({ service: true, port: NUMBER }),
  meshNamespace: BOOLEAN,
});

/** Returns values of the linkerd-control-plane chart that make proxies and controllers send spans over OTLP. */
export function otlpValues({ service, namespace, serviceAccount, ports }: TempoProps): Values {
  const endpoint = `${service}.${namespace}:${ports?.otlp ?? 4317}`;
  return {
    proxy: {
      tracing: {
        enabled: true,
        collector: { endpoint, meshIdentity: { serviceAccountName: serviceAccount, namespace } },
      },
    },
    controller: { tracing: { enabled: true, collector: { endpoint } } },
  };
}

/**
 * Returns values of the linkerd-jaeger chart that keep only its webhook, which makes proxies send spans by OpenCensus.
 *
 * `collectorSvcAccount` is a bare name: the webhook takes the namespace from the second part of the address (linkerd2,
 * jaeger/injector/mutator/webhook.go, amendSvcAccount).
 */
export function openCensusValues({ service, namespace, serviceAccount, ports }: TempoProps): Values {
  return {
    collector: { enabled: false },
    jaeger: { enabled: false },
    webhook: {
      collectorSvcAddr: `${service}.${namespace}:${ports?.openCensus ?? 55678}`,
      collectorSvcAccount: serviceAccount,
    },
  };
}

/** Returns the address of Jaeger's user interface, if Tempo has one. */
export function jaegerUrlOf({ query, namespace }: TempoProps): string | undefined {
  return query && `${query.service}.${namespace}:${query.port ?? 16686}`;
}

/** Reports settings of a Tempo that Kubernetes would refuse. */
export function checkTempo({ service, namespace, serviceAccount, ports, query }: TempoProps): readonly Problem[] {
  const portsByField = { 'ports.otlp': ports?.otlp, 'ports.openCensus': ports?.openCensus, 'query.port': query?.port };
  return [
    ...checkDnsLabel('tempo.service', service),
    ...checkDnsLabel('tempo.namespace', namespace),
    ...checkDnsSubdomain('tempo.serviceAccount', serviceAccount),
    ...(query === undefined ? [] : checkDnsLabel('tempo.query.service', query.service)),
    ...Object.entries(portsByField).flatMap(([field, port]) =>
      port === undefined ? [] : checkPort(`tempo.${field}`, port),
    ),
  ];
}

/** Checks that a dashboard exists to link to the traces; without one, the address has no effect. */
export function checkTraceLinks(query: TempoProps['query'], viz: boolean): readonly Problem[] {
  return query === undefined || viz ? [] : [TRACING_FINDINGS.traceLinksWithoutViz({ service: query.service })];
}
