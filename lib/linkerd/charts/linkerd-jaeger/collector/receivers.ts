/** The ports at which the collector takes spans, by the protocols that their clients speak. */
export const RECEIVERS = [
  { name: 'otlp', port: 4317, proxyProtocol: 'gRPC' },
  { name: 'otlp-http', port: 4318, proxyProtocol: 'HTTP/1' },
  { name: 'opencensus', port: 55678, proxyProtocol: 'gRPC' },
  { name: 'zipkin', port: 9411 },
  { name: 'jaeger-thrift', port: 14268 },
  { name: 'jaeger-grpc', port: 14250 },
] as const;

/** The port at which the collector says whether it is well. */
export const HEALTH_PORT = 13133;

/** The port at which the collector serves its own metrics. */
export const METRICS_PORT = 8888;
