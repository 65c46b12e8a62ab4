import type { JsonSchema } from './json-schema';
import type { ValuesKnowledge } from './value-types';
import { any, boolean, fields, integer, intOrString, kubernetes, listOf, mapOf, openMap, string } from './value-types';

const JETSTACK: Readonly<Record<string, JsonSchema>> = {
  affinity: kubernetes('Affinity'),
  annotations: mapOf(string),
  commonAnnotations: mapOf(string),
  commonLabels: mapOf(string),
  config: openMap,
  deploymentAnnotations: mapOf(string),
  egress: listOf(kubernetes('NetworkPolicyEgressRule')),
  endpointAdditionalProperties: openMap,
  extraObjects: listOf(any),
  imagePullSecrets: listOf(kubernetes('LocalObjectReference')),
  ingress: listOf(kubernetes('NetworkPolicyIngressRule')),
  ipFamilies: listOf(string),
  labels: mapOf(string),
  maxUnavailable: intOrString,
  minAvailable: intOrString,
  nodeSelector: mapOf(string),
  podAnnotations: mapOf(string),
  podLabels: mapOf(string),
  resources: kubernetes('ResourceRequirements'),
  tolerations: listOf(kubernetes('Toleration')),
  topologySpreadConstraints: listOf(kubernetes('TopologySpreadConstraint')),
  volumeMounts: listOf(kubernetes('VolumeMount')),
  volumes: listOf(kubernetes('Volume')),
};

export const certManager: ValuesKnowledge = {
  byName: {
    ...JETSTACK,
    containerSecurityContext: kubernetes('SecurityContext'),
    extraArgs: listOf(string),
    extraEnv: listOf(kubernetes('EnvVar')),
    jobAnnotations: mapOf(string),
    livenessProbe: kubernetes('Probe'),
    mutatingWebhookConfigurationAnnotations: mapOf(string),
    namespaceSelector: kubernetes('LabelSelector'),
    readinessProbe: kubernetes('Probe'),
    securityContext: kubernetes('PodSecurityContext'),
    serviceAnnotations: mapOf(string),
    serviceIPFamilies: listOf(string),
    serviceLabels: mapOf(string),
    strategy: kubernetes('DeploymentStrategy'),
    validatingWebhookConfigurationAnnotations: mapOf(string),
  },
  byPath: {
    approveSignerNames: listOf(string),
    extraContainers: listOf(kubernetes('Container')),
    hostAliases: listOf(kubernetes('HostAlias')),
    livenessProbe: kubernetes('Probe', { enabled: boolean }),
    podDnsConfig: kubernetes('PodDNSConfig'),
    'startupapicheck.ttlSecondsAfterFinished': integer,
    'webhook.url': fields({ host: string }),
  },
  extra: {},
};

export const trustManager: ValuesKnowledge = {
  byName: JETSTACK,
  byPath: {
    'app.securityContext': kubernetes('SecurityContext'),
    'app.targetNamespaces': listOf(string),
    'app.webhook.tls.certificate.secretTemplate': openMap,
    'defaultPackage.securityContext': kubernetes('SecurityContext'),
    podSecurityContext: kubernetes('PodSecurityContext'),
    replicaCount: integer,
    revisionHistoryLimit: integer,
    'secretTargets.authorizedSecrets': listOf(string),
  },
  extra: {},
};
