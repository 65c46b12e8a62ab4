import type { Construct } from 'constructs';
import type { Container, PodSpec } from '../../../imports/kubernetes';
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
  /** Tells whether the nodes run OpenShift, which chooses the pod's user itself, out of the namespace's range. */
  readonly openShift: boolean;
  /** The container. Its `args` are the operator's own, from the command on: `['rotate', …]`. */
  readonly container: Omit<Container, 'image' | 'imagePullPolicy' | 'command' | 'securityContext'> & {
    readonly args: string[];
  };
  /** The rest of the pod. */
  readonly pod: Omit<PodSpec, 'containers' | 'imagePullSecrets' | 'securityContext'>;
}

/** The user `node` of the stock images, in which root is the default. */
const NODE_USER = 1000;

/**
 * glibc keeps a pool of memory for each thread, and what was freed, in case it is wanted again. Node.js' threads compile
 * and collect: one pool is enough for them, and an operator that is idle most of the time had better give memory back.
 * Other C libraries pass it by. An image of our own says so itself.
 */
export const ALLOCATION = [
  { name: 'MALLOC_ARENA_MAX', value: '1' },
  { name: 'MALLOC_TRIM_THRESHOLD_', value: '131072' },
];

const VOLUME = 'program';
const MOUNT_PATH = '/operator';

/**
 * The specification of a pod that runs the operator, confined as the Pod Security Standard "restricted" asks. Where the
 * program comes out of a ConfigMap, that is emitted beside what `scope` emits.
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
      // An image of our own says itself which user it is for.
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
          // In the pod template, so that another program means other pods.
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
