import { isMap } from '#base/values';
import {
  type AdmissionAnswer,
  type AdmissionHandler,
  type AdmissionRequest,
  BadAdmissionRequest,
} from '#controller-runtime/webhook/admission';
import type { Annotations } from './annotation-patch';
import { mutatePod, type NewPod, type PodSettings } from './mutate-pod';

/** Returns the annotations of a namespace: synchronously if they are known, as in most cases. */
export type NamespaceAnnotations = (namespace: string) => Annotations | Promise<Annotations>;

/** Answers requests to create pods. Other requests pass unchanged. */
export function podHandler(annotationsOf: NamespaceAnnotations, settings: PodSettings): AdmissionHandler {
  const answer = (pod: NewPod, annotations: Annotations): AdmissionAnswer => ({
    allowed: true,
    ...mutatePod(pod, annotations, settings),
  });
  return (request) => {
    // A pod's networks are set up once: attaching it later would have no effect.
    if (request.operation !== 'CREATE' || request.kind.kind !== 'Pod' || request.subResource) return { allowed: true };
    const pod = readPod(request);
    const annotations = annotationsOf(pod.namespace);
    // Avoids promises where possible: a webhook for every pod of the cluster must be fast.
    return annotations instanceof Promise ? annotations.then((known) => answer(pod, known)) : answer(pod, annotations);
  };
}

/** Any client may call the webhook, so only valid names are looked up in the API server. */
const NAMESPACE_NAME = /^(?!.{64})[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Reads a pod, whose namespace and name may be missing: the request's namespace counts. */
function readPod({ object, namespace }: AdmissionRequest): NewPod {
  if (!namespace) throw new BadAdmissionRequest('request.namespace of a Pod is missing');
  if (!NAMESPACE_NAME.test(namespace))
    throw new BadAdmissionRequest('request.namespace is not a valid name of a namespace');
  if (!isMap(object)) throw new BadAdmissionRequest('request.object is not an object');
  const { metadata, spec } = object;
  if (!isMap(metadata)) throw new BadAdmissionRequest('request.object.metadata is not an object');
  return {
    namespace,
    labels: readTexts(metadata.labels, 'labels') ?? {},
    annotations: readTexts(metadata.annotations, 'annotations'),
    isOnHostNetwork: isMap(spec) && spec.hostNetwork === true,
  };
}

function readTexts(map: unknown, name: string): Readonly<Record<string, string>> | undefined {
  if (map === undefined || map === null) return undefined;
  if (isMap(map) && Object.values(map).every((value) => typeof value === 'string')) {
    return map as Readonly<Record<string, string>>;
  }
  throw new BadAdmissionRequest(`request.object.metadata.${name} is not a map of strings`);
}
