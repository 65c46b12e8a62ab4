import { catalogue } from '#base/findings/catalogue';
import { didYouMean } from '#base/suggest';

/** Findings about objects that no schema reports. */
export const OBJECT_CHECKS = catalogue({
  'object-incomplete/name': {
    severity: 'error',
    what: ({ kind }: { kind: string }) => `This ${kind} has no metadata.name`,
    why: 'Argo CD applies objects by name, and each has a file of that name',
    fix: 'set metadata.name',
  },
  'kind-unknown/type': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}`,
    why: 'The API server identifies a kind by apiVersion and kind',
    fix: ({ field, form }: { field: string; form: string }) => `write the ${field} as ${form}`,
  },
  'kind-unknown/unserved': {
    severity: 'error',
    what: ({ object, apiVersion, kind }: Record<'object' | 'apiVersion' | 'kind', string>) =>
      `${object} has apiVersion "${apiVersion}" and kind "${kind}"`,
    why: 'No API server serves this kind: the sync of the whole folder fails',
    fix: ({ meantVersion, meantKind }: { meantVersion: string; meantKind: string }) =>
      `write apiVersion: ${meantVersion}, kind: ${meantKind}`,
  },
  'list-refused': {
    severity: 'error',
    what: ({ kind, value }: Record<'kind' | 'value', string>) => `items of a ${kind} is ${value}, which is not a list`,
    why: 'A list is not an object of the API: Argo CD applies its items',
    fix: 'write items as a list of objects, or remove the object',
  },
  'list-refused/item': {
    severity: 'error',
    what: ({ kind, place, value }: Record<'kind' | 'place' | 'value', string>) =>
      `${place} of a ${kind} is ${value}, which is not an object`,
    why: 'Argo CD applies the items of a list one by one: the sync of the whole folder fails',
    fix: 'write the item as an object with apiVersion, kind and metadata, or remove it',
  },
  'metadata-refused/type': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, which is not a string`,
    why: 'The API server refuses the object: namespaces and the values of labels and annotations are strings',
    fix: ({ suggestion }: { suggestion: string }) => `write it as a string: ${suggestion}`,
  },
  'metadata-refused/size': {
    severity: 'error',
    what: ({ size }: { size: number }) => `metadata.annotations has ${size} bytes`,
    why: ({ most }: { most: number }) =>
      `The API server refuses the object: all its annotations together may have at most ${most} bytes`,
    fix: 'move the text into a ConfigMap',
  },
  'bundle-of-issued-certificate': {
    severity: 'error',
    what: ({ bundle, field, secret, certificate }: Record<'bundle' | 'field' | 'secret' | 'certificate', string>) =>
      `${bundle}: ${field} reads Secret ${secret}, which ${certificate} issues`,
    why: 'Until the certificate is issued, trust-manager does not update the bundle; when another anchor issues the certificate, the bundle loses the previous anchor, which proxies still rely on',
    fix: 'read the Secrets of the anchors, by a label that all of them have (secret.selector), as TrustBundle does',
  },
  'certificate-refused/duration': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `spec.${field} is "${value}", which is not a duration`,
    why: "cert-manager's webhook refuses it; where the webhook does not run, it stops cert-manager for all Certificates of the cluster",
    fix: 'write hours, minutes or seconds with their unit: "24h", "1h30m"',
  },
  'certificate-refused/duration-short': {
    severity: 'error',
    what: ({ duration }: { duration: string }) => `spec.duration is ${duration}, less than 1h`,
    why: "cert-manager's webhook refuses a duration of less than 1h",
    fix: 'set duration to 1h or more',
  },
  'certificate-refused/window': {
    severity: 'error',
    what: ({ renewBefore, duration }: { renewBefore: string; duration: string }) =>
      `spec.renewBefore is ${renewBefore}, and the certificate is valid for ${duration}`,
    why: "cert-manager's webhook refuses a renewBefore of less than 5m or not less than duration: the certificate would be due for renewal before it is issued",
    fix: 'set renewBefore, which counts back from the expiry, to 5m or more and less than duration (2160h by default)',
  },
  'certificate-refused/renewal-twice': {
    severity: 'error',
    what: 'The Certificate has both spec.renewBefore and spec.renewBeforePercentage',
    why: "cert-manager's webhook refuses it",
    fix: 'keep one of them',
  },
  'certificate-refused/renewal-empty': {
    severity: 'error',
    what: 'The Certificate has an empty spec.renewal',
    why: "cert-manager's webhook refuses it; where the webhook does not run, it crashes the controller repeatedly",
    fix: 'remove it, or set renewal.policy',
  },
  'certificate-outlives-issuer/signed': {
    severity: 'error',
    what: ({
      signer,
      certificate,
      renewBefore,
      duration,
    }: Record<'signer' | 'certificate' | 'renewBefore' | 'duration', string>) =>
      `${signer} is renewed ${renewBefore} before its expiry, and ${certificate}, which it signs, is valid for ${duration}`,
    why: 'A certificate that is signed right before its signer is renewed outlives the signer: after the signer has expired, clients reject the certificate',
    fix: ({
      signer,
      certificate,
      proposedDuration,
      proposedRenewBefore,
    }: Record<'signer' | 'certificate' | 'proposedDuration' | 'proposedRenewBefore', string>) =>
      `set duration: ${proposedDuration} and renewBefore: ${proposedRenewBefore} in the spec of ${signer}, or shorten the duration of ${certificate}`,
  },
  'certificate-secret-shared': {
    severity: 'error',
    what: ({ certificate, secret, other, path }: Record<'certificate' | 'secret' | 'other' | 'path', string>) =>
      `${certificate} makes cert-manager write Secret ${secret}, and so does ${other} of ${path}`,
    why: 'cert-manager issues only one of the two certificates, or alternates between them, each time with another key',
    fix: 'use a different secretName for each of them',
  },
  'image-abandoned': {
    severity: 'error',
    what: ({ image }: { image: string }) => `image is "${image}", which is no longer maintained`,
    why: 'Docker Hub has had no releases of it since September 2025: the pod stays in ImagePullBackOff, or runs an unknown version from "latest"',
    fix: 'use a maintained image with a version, such as registry.k8s.io/kubectl:v1.34.4 for kubectl',
  },
  'containers-race': {
    severity: 'error',
    what: ({ job, containers }: { job: string; containers: string }) =>
      `${job} runs kubectl in the containers ${containers}`,
    why: 'The containers of a pod start at the same time: a container may run before the container that is listed above it',
    fix: 'move all but the last into initContainers, which run in order',
  },
  'root-forbidden': {
    severity: 'error',
    what: ({ container }: { container: string }) => `${container} runs as user 0, and runAsNonRoot is true`,
    why: 'Kubelets refuse to start it: the pod stays in CreateContainerConfigError',
    fix: 'set runAsUser to a number above 0, or remove runAsNonRoot',
  },
  'ca-bundle-contested': {
    severity: 'error',
    what: ({ object, field, annotation }: Record<'object' | 'field' | 'annotation', string>) =>
      `${object} has ${field}, and the annotation ${annotation}`,
    why: 'Argo CD and cert-manager overwrite it in turns, and the API server cannot call the webhook while it has the wrong CA',
    fix: ({ field }: { field: string }) => `remove ${field}`,
  },
  'webhook-certificate-refused/names': {
    severity: 'error',
    what: ({ object, certificate, names, host }: Record<'object' | 'certificate' | 'names' | 'host', string>) =>
      `${object} trusts Certificate ${certificate}, whose dnsNames (${names}) do not cover ${host}`,
    why: 'The API server calls the Service by that name and refuses its certificate on every call',
    fix: ({ host, annotation }: { host: string; annotation: string }) =>
      `add ${host} to the Certificate's dnsNames, or name the Certificate of that Service in ${annotation}`,
  },
  'webhook-certificate-refused/namespace': {
    severity: 'error',
    what: ({
      object,
      certificate,
      service,
      namespace,
    }: Record<'object' | 'certificate' | 'service' | 'namespace', string>) =>
      `${object} trusts Certificate ${certificate}, but its Service ${service} is in namespace ${namespace}`,
    why: 'Pods mount Secrets of their own namespace only: the pods of the Service cannot mount the Secret of the Certificate',
    fix: ({ namespace, annotation }: { namespace: string; annotation: string }) =>
      `create the Certificate in namespace ${namespace}, and set ${annotation} to its namespace and name`,
  },
  'webhook-certificate-refused/missing': {
    severity: 'error',
    ofAbsence: 'object',
    what: ({ object, annotation, certificate }: Record<'object' | 'annotation' | 'certificate', string>) =>
      `${object} has ${annotation}: "${certificate}", and no Certificate has that name`,
    why: 'cert-manager cannot inject a CA, and the API server cannot verify the certificate of the webhook',
    fix: ({ similar }: { similar?: string | undefined }) =>
      `write the "<namespace>/<name>" of a Certificate in the output${didYouMean(similar)}`,
  },
});
