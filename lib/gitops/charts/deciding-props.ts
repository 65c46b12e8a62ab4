/** The props that decide values of charts, by the path of the value or of a map around it. */
export const DECIDING_PROPS: ReadonlyMap<string, string> = new Map([
  ['clusterDomain', 'domain of the cluster, in platform.addCluster'],
  ['identityTrustDomain', 'trustDomain of CertManagerPKI'],
  ['identity.externalCA', 'trustAnchor of CertManagerPKI'],
  ['identity.issuer', 'trustAnchor of CertManagerPKI'],
  ['identity.issuer.issuanceLifetime', 'issuanceLifetime of CertManagerPKI'],
  ['identity.issuer.clockSkewAllowance', 'clockSkewAllowance of CertManagerPKI'],
  ['cniEnabled', 'cni of LinkerdControlPlane'],
  ['disableHeartBeat', 'heartbeat of LinkerdControlPlane'],
  ['heartbeatSchedule', 'heartbeat of LinkerdControlPlane'],
  ['policyController.probeNetworks', 'nodeNetworks of LinkerdControlPlane'],
  ['proxyInjector', 'pki of LinkerdControlPlane'],
  ['profileValidator', 'pki of LinkerdControlPlane'],
  ['policyValidator', 'pki of LinkerdControlPlane'],
  ['linkerdNamespace', 'controlPlaneNamespace of CertManagerPKI'],
  ['installGatewayAPI', 'gatewayApi of LinkerdCrds'],
  ['enableHttpRoutes', 'gatewayApi of LinkerdCrds'],
  ['enableTlsRoutes', 'gatewayApi of LinkerdCrds'],
  ['enableTcpRoutes', 'gatewayApi of LinkerdCrds'],
  ['prometheus', 'prometheus of Viz'],
  ['prometheusUrl', 'prometheus of Viz'],
  ['grafana', 'grafana of Viz'],
  ['dashboard.enforcedHostRegexp', 'enforcedHostRegexp of Viz'],
  ['jaegerUrl', 'tempo of JaegerToTempo'],
  ['collector', 'tempo of JaegerToTempo'],
  ['podAnnotations', 'controlPlane of MultusAttach'],
  ['gateway', 'gateway of Multicluster'],
]);

/** Returns the prop that decides a value, with its construct; undefined if no single prop decides it. */
export function decidingProp(path: string): string | undefined {
  const keys = path.split('.');
  const paths = keys.map((_, index) => keys.slice(0, keys.length - index).join('.'));
  return paths.map((one) => DECIDING_PROPS.get(one)).find((prop) => prop !== undefined);
}
