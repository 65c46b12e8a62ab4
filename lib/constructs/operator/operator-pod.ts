import type { Construct } from 'constructs';
import type { Container, PodSpec } from '#imports/kubernetes';
import type { OperatorImage } from '../../gitops/tree/operator-image';
import { dependsOn } from '../../gitops/tree/order';
import {
  BUNDLED_SHA256,
  ensureProgramConfigMap,
  imageReference,
  LOADER_FILE,
  PROGRAM_CONFIG_MAP,
  PROGRAM_SHA256,
} from './operator-image';

/** A pod that runs the operator. */
export interface OperatorPod {
  readonly image: OperatorImage;
  /** Namespace of the pod. */
  readonly namespace: string;
  /** Whether the nodes run OpenShift, which chooses the pod's user from the namespace's range. */
  readonly openShift: boolean;
  /** The container. Its `args` are the operator's own, starting with the command: `['rotate', …]`. */
  readonly container: Omit<Container, 'image' | 'imagePullPolicy' | 'command' | 'securityContext'> & {
    readonly args: string[];
  };
  /** The rest of the pod. */
  readonly pod: Omit<PodSpec, 'containers' | 'imagePullSecrets' | 'securityContext'>;
}

/** The user `node` of the stock images of Node.js, which run as root by default. */
const NODE_USER = 1000;

/**
 * glibc keeps a memory pool per thread, including freed memory. Node.js uses threads for compilation and garbage
 * collection, for which one pool is enough, and an operator that is mostly idle should return memory. Other C libraries
 * ignore the variables. The operator's published image sets them itself.
 */
export const ALLOCATION = [
  { name: 'MALLOC_ARENA_MAX', value: '1' },
  { name: 'MALLOC_TRIM_THRESHOLD_', value: '131072' },
];

const VOLUME = 'program';
const MOUNT_PATH = '/operator';

/**
 * Renders the specification of a pod that runs the operator and meets the Pod Security Standard "restricted". If the
 * program comes from a ConfigMap, also emits that ConfigMap under `scope`.
 */
export function operatorPod(scope: Construct, request: OperatorPod): PodSpec {
  const { image, namespace, pod, openShift } = request;
  const bundled = image.kind === 'bundled';
  if (bundled) dependsOn(scope, ensureProgramConfigMap(scope, namespace));
  const { pullSecrets = [] } = image;
  return {
    ...pod,
    enableServiceLinks: false,
    ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets.map((name) => ({ name })) }),
    securityContext: {
      runAsNonRoot: true,
      // The operator's published image sets its user itself.
      ...(bundled && !openShift ? { runAsUser: NODE_USER, runAsGroup: NODE_USER } : {}),
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [containerOf(request)],
    ...(bundled
      ? { volumes: [...(pod.volumes ?? []), { name: VOLUME, configMap: { name: PROGRAM_CONFIG_MAP } }] }
      : {}),
  };
}

function containerOf({ image, container }: OperatorPod): Container {
  const { env = [], volumeMounts = [] } = container;
  return {
    ...container,
    image: imageReference(image),
    imagePullPolicy: image.pullPolicy ?? 'IfNotPresent',
    ...(image.kind === 'bundled'
      ? {
          command: ['node', `${MOUNT_PATH}/${LOADER_FILE}`],
          // The hash in the pod template makes a new program roll out new pods.
          env: [...env, { name: PROGRAM_SHA256, value: BUNDLED_SHA256 }, ...ALLOCATION],
          volumeMounts: [...volumeMounts, { name: VOLUME, mountPath: MOUNT_PATH, readOnly: true }],
        }
      : {}),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
}
