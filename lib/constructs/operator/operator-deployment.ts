import type { Construct } from 'constructs';
import type { Container, Deployment, PodSpec } from '#imports/kubernetes';
import type { OperatorImage } from '../../gitops/tree/operator-image';
import { OPERATOR, OPERATOR_LABELS, OPERATOR_PORTS } from './operator-names';
import { operatorPod } from './operator-pod';
import type { WebhookClientCa } from './webhook-clients';

/** The settings of the operator's Deployment. */
export interface OperatorDeployment {
  readonly namespace: string;
  readonly image: OperatorImage;
  readonly replicas: number;
  readonly openShift: boolean;
  /** Arguments of the operator, starting with its subcommand. */
  readonly args: string[];
  readonly podAnnotations: Readonly<Record<string, string>>;
  readonly resources: Container['resources'];
  /** Secret with the certificate of the webhooks; absent without webhooks. */
  readonly certificateSecret?: string;
  /** The CA of the webhooks' clients; absent to answer any client. */
  readonly clientCa?: WebhookClientCa;
}

/** Mount path of the webhooks' certificate. */
export const CERTIFICATE_PATH = '/certificate';

const CLIENT_CA_PATH = '/client-ca';
/** Mount path of the CA of the webhooks' clients. */
export const CLIENT_CA_FILE = `${CLIENT_CA_PATH}/ca.crt`;

/** How long a terminating pod keeps serving, until no client is routed to it. */
const STILL_SERVING_SECONDS = 5;

/**
 * `STILL_SERVING_SECONDS`, plus the operator's own shutdown: 20 s to finish work, 1 s for work that is cut off then, 3
 * s for the last Events, 5 s to release the lease; plus ten seconds of margin.
 */
const TERMINATION_SECONDS = 45;

/**
 * Renders the operator's Deployment. All replicas answer webhooks; one at a time, elected by a lease, runs the
 * controllers.
 */
export function operatorDeployment(scope: Construct, operator: OperatorDeployment): Deployment {
  const { namespace, replicas, podAnnotations } = operator;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: OPERATOR, namespace, labels: OPERATOR_LABELS },
    spec: {
      replicas,
      // A pod stops only when its replacement is ready, so that the webhooks always answer.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: OPERATOR_LABELS },
      template: {
        metadata: {
          labels: OPERATOR_LABELS,
          annotations: { 'kubectl.kubernetes.io/default-container': OPERATOR, ...podAnnotations },
        },
        spec: podSpec(scope, operator),
      },
    },
  };
}

function podSpec(scope: Construct, operator: OperatorDeployment): PodSpec {
  const { namespace, image, openShift } = operator;
  const volumes = volumesOf(operator);
  return operatorPod(scope, {
    image,
    namespace,
    openShift,
    container: containerOf(operator),
    pod: {
      serviceAccountName: OPERATOR,
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      terminationGracePeriodSeconds: TERMINATION_SECONDS,
      topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
        topologyKey,
        maxSkew: 1,
        // A single-node cluster must run all replicas.
        whenUnsatisfiable: 'ScheduleAnyway' as const,
        labelSelector: { matchLabels: OPERATOR_LABELS },
      })),
      ...(volumes.length === 0 ? {} : { volumes: volumes.map(({ path: _, ...volume }) => volume) }),
    },
  });
}

function volumesOf({ certificateSecret, clientCa }: OperatorDeployment) {
  if (certificateSecret === undefined) return [];
  const certificate = { name: 'certificate', path: CERTIFICATE_PATH, secret: { secretName: certificateSecret } };
  if (clientCa === undefined) return [certificate];
  const { configMap: name, key = 'ca.crt' } = clientCa;
  const configMap = { name, items: [{ key, path: 'ca.crt' }] };
  return [certificate, { name: 'client-ca', path: CLIENT_CA_PATH, configMap }];
}

function containerOf(operator: OperatorDeployment) {
  const { args, resources } = operator;
  const mounts = volumesOf(operator);
  const webhooks = mounts.length > 0;
  const { webhook, metrics, health } = OPERATOR_PORTS;
  return {
    name: OPERATOR,
    args,
    ports: [
      ...(webhooks ? [{ name: 'webhook', containerPort: webhook }] : []),
      { name: 'metrics', containerPort: metrics },
      { name: 'health', containerPort: health },
    ],
    ...(webhooks ? { volumeMounts: mounts.map(({ name, path }) => ({ name, mountPath: path, readOnly: true })) } : {}),
    resources,
    // The caches of a large cluster take time to fill, and the kubelet must not restart the pod for that.
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 5 },
    lifecycle: { preStop: { sleep: { seconds: STILL_SERVING_SECONDS } } },
  } satisfies Partial<Container>;
}
