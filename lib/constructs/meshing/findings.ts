import { catalogue } from '#base/findings/catalogue';

const isNotCopyable = ({ annotation }: { annotation: string }) =>
  `Annotation ${annotation} of a namespace contains quotes, a backslash or a control character`;
const FAILS_TO_COPY =
  'The injector copies it to each pod of the namespace without escaping it, and fails: no pod would start';

const hasPlace = ({ place }: { place: string }) =>
  `podMetadata is "${place}", which is not the path of the metadata of pods`;
const writePlace = ({ proposed }: { proposed: string }) => `write it as "${proposed}"`;

const waits = ({ wait }: { wait: string }) => `proxy.waitBeforeExit is ${wait}, but the proxy is a native sidecar`;
const REMOVE_WAIT = 'remove proxy.waitBeforeExit, or set proxy.nativeSidecar to false';

/** Findings about workloads and namespaces in the mesh, and about rollouts. */
export const MESHING_FINDINGS = catalogue({
  'target-refused': {
    severity: 'error',
    what: ({ value }: { value: string }) => `The target of a Meshing is ${value}, not a construct`,
    why: 'Pods join the mesh by annotations of the object that creates them, and only a construct names that object',
    fix: 'pass the construct of the object; for pods of a chart, set meshing.podAnnotations() in its values; for all pods of a namespace, call meshing.namespace()',
  },

  // Configurations.
  'setting-refused/type': {
    severity: 'error',
    what: ({ field, value, form }: Record<'field' | 'value' | 'form', string>) => `${field} is ${value}, not a ${form}`,
    why: ({ form }: { form: string }) => `This setting must be a ${form}`,
    fix: ({ form }: { form: string }) => `write it as a ${form}, or remove it`,
  },
  'setting-refused/seconds': {
    severity: 'error',
    what: ({ field, milliseconds }: { field: string; milliseconds: number }) =>
      `${field} is ${milliseconds} milliseconds, not a whole number of seconds`,
    why: 'Linkerd reads whole seconds, and would ignore the fraction or the whole setting',
    fix: ({ field, seconds }: { field: string; seconds: number }) => `set ${field} to Duration.seconds(${seconds})`,
  },
  'setting-refused/wait': {
    severity: 'error',
    what: waits,
    why: 'The wait has no effect: Kubernetes stops a native sidecar after the containers of the pod',
    fix: REMOVE_WAIT,
  },
  'setting-refused/wait-fails': {
    severity: 'error',
    what: waits,
    why: ({ version }: { version: string }) =>
      `The injector of ${version} fails on each pod with both; Kubernetes stops a native sidecar after the containers of the pod`,
    fix: REMOVE_WAIT,
  },

  // Pods.
  'pods-not-found': {
    severity: 'error',
    what: ({ object, apiVersion }: { object: string; apiVersion: string }) =>
      `${object} (${apiVersion}) is added to the mesh, but synth does not know which of its fields describe pods`,
    why: 'Linkerd reads only annotations of pods and of namespaces',
    fix: 'add the object that creates the pods to the mesh instead, or set podMetadata to the JSON pointer of their metadata, such as /spec/podTemplate/metadata',
  },
  'pods-not-found/pointer': {
    severity: 'error',
    what: hasPlace,
    why: 'It is not a JSON pointer (RFC 6901), which starts with a slash: annotations at this path would reach no pod',
    fix: writePlace,
  },
  'pods-not-found/template': {
    severity: 'error',
    what: hasPlace,
    why: 'Annotations belong in the metadata of a pod template: directly in the template they would reach no pod',
    fix: writePlace,
  },
  'pods-not-found/annotations': {
    severity: 'error',
    what: hasPlace,
    why: 'It is the path of annotations, not of the metadata that contains them: annotations below this path would reach no pod',
    fix: writePlace,
  },
  'pods-not-found/obstructed': {
    severity: 'error',
    what: ({ object, kind, path, at, value }: Record<'object' | 'kind' | 'path' | 'at' | 'value', string>) =>
      `${object} would get ${kind} at ${path}, but ${at} is ${value}`,
    why: 'Nothing can be added to a value that is not a map: the pods would not change',
    fix: 'set podMetadata to the map that has the metadata of the pods, or correct the object',
  },
  'annotation-contested': {
    severity: 'error',
    what: ({ object, key, value, existing }: Record<'object' | 'key' | 'value' | 'existing', string>) =>
      `${object} would get ${key}: "${value}", but has "${existing}" already`,
    why: 'Metadata can have only one value for this key, and other constructs may rely on the existing value',
    fix: 'configure the object in only one place',
  },
  'annotation-not-copyable': {
    severity: 'error',
    what: isNotCopyable,
    why: FAILS_TO_COPY,
    fix: 'remove these characters, or set the annotation on the workloads',
  },
  'annotation-not-copyable/environment': {
    severity: 'error',
    what: isNotCopyable,
    why: FAILS_TO_COPY,
    fix: 'set proxy.env on the workloads, or proxy.additionalEnv in the values of LinkerdControlPlane',
  },
  'opaque-ports-refused/object': {
    severity: 'error',
    what: ({ object, apiVersion }: { object: string; apiVersion: string }) =>
      `opaquePorts() is called for ${object} (${apiVersion})`,
    why: 'opaquePorts() is for Services; namespaces and pods have opaque ports in their configuration',
    fix: 'call it for the Service, or pass opaquePorts to inject() or namespace()',
  },
  'opaque-ports-refused/port': {
    severity: 'error',
    what: ({ port, service, ports }: Record<'port' | 'service' | 'ports', string>) =>
      `opaquePorts has ${port}, which is not a port of ${service} (${ports})`,
    why: 'Clients look up the port of the Service that they connect to, so this port has no effect',
    fix: 'use the port of the Service, not the container port that it targets',
  },
  'restart-refused/mode': {
    severity: 'error',
    what: ({ restart, object }: { restart: string; object: string }) => `restart is ${restart} on ${object}`,
    why: 'The operator accepts only "auto", and would not restart the pods',
    fix: "write restart: 'auto', or remove it",
  },
  'restart-refused/object': {
    severity: 'error',
    what: ({ object }: { object: string }) => `restart is set on ${object}`,
    why: 'The operator restarts only workloads with a rollout: it would list these pods in its status, and not restart them',
    fix: 'set restart on the workloads whose pods the operator should restart, or remove it',
  },

  // Jobs.
  'linkerd-await-refused/object': {
    severity: 'error',
    what: ({ object }: { object: string }) => `linkerdAwait is set on ${object}`,
    why: 'It is not a job: its pods must keep running, but linkerd-await stops the proxy when a container ends',
    fix: 'remove linkerdAwait; proxy.await makes containers wait for the proxy',
  },
  'linkerd-await-refused/release': {
    severity: 'error',
    what: ({ object, version }: { object: string; version: string }) =>
      `linkerdAwait is set on ${object}, with ${version}`,
    why: 'The proxies of this release disable their shutdown endpoint (proxy.enableShutdownEndpoint), and Kubernetes stops them as native sidecars when the job ends',
    fix: 'remove linkerdAwait',
  },
  'linkerd-await-refused/container-unknown': {
    severity: 'error',
    what: ({ container, job, containers }: Record<'container' | 'job' | 'containers', string>) =>
      `linkerdAwait.container is "${container}", but ${job} has ${containers}`,
    why: 'linkerd-await runs the command of that container',
    fix: ({ containers }: { containers: string }) => `name one of ${containers}`,
  },
  'linkerd-await-refused/container-missing': {
    severity: 'error',
    what: ({ job, containers }: { job: string; containers: string }) =>
      `${job} has several containers (${containers}), and linkerdAwait.container is not set`,
    why: 'The proxy stops with the container that runs under linkerd-await, and the other containers lose their connections',
    fix: 'set linkerdAwait.container to the container that ends last',
  },
  'linkerd-await-refused/command': {
    severity: 'error',
    what: ({ container, job }: { container: string; job: string }) =>
      `The container ${container} of ${job} has no command`,
    why: 'Kubernetes would run the entrypoint of the image without linkerd-await: synth does not know it, and cannot wrap it',
    fix: 'write the entrypoint of the image as the command of the container',
  },
  'linkerd-await-refused/timeout': {
    severity: 'error',
    what: ({ milliseconds }: { milliseconds: number }) =>
      `linkerdAwait.timeout is ${milliseconds} milliseconds, not a whole number of seconds`,
    why: 'linkerd-await refuses fractions of a second, and the job never starts',
    fix: 'set linkerdAwait.timeout to whole seconds',
  },

  // Services.
  'canary-route-refused/object': {
    severity: 'error',
    what: ({ field, kind, name }: Record<'field' | 'kind' | 'name', string>) => `${field} is the ${kind} ${name}`,
    why: 'Clients find pods only through a Service',
    fix: ({ field }: { field: string }) => `pass the Service in front of the pods as ${field}`,
  },
  'canary-route-refused/namespace': {
    severity: 'error',
    what: ({ field, name }: { field: string; name: string }) =>
      `${field} is the Service ${name}, which has no namespace`,
    why: 'Its DNS name contains the namespace, and references from other objects need it',
    fix: 'give the Service a metadata.namespace',
  },
  'canary-route-refused/namespaces': {
    severity: 'error',
    what: ({ services }: { services: string }) =>
      `The services of a CanaryRoute are in different namespaces: ${services}`,
    why: 'Argo Rollouts looks for them in the namespace of the Rollout, and Linkerd applies a route to all clients of a service only if both are in one namespace',
    fix: 'put all three into one namespace',
  },
  'canary-route-refused/repeated': {
    severity: 'error',
    what: ({ services }: { services: string }) => `service, stable and canary of a CanaryRoute are ${services}`,
    why: 'The three must differ: Argo Rollouts narrows down the selectors of stable and canary, and a route from a service to itself splits no traffic',
    fix: 'create a Service for each, with the same selector and port',
  },
  'success-rate-refused/credentials': {
    severity: 'error',
    what: ({ secret }: { secret: string }) =>
      `The Prometheus of viz requires the credentials in Secret ${secret}, which Argo Rollouts does not have`,
    why: 'Each measurement is refused, and Argo Rollouts aborts the rollout on errors',
    fix: 'set prometheusUrl instead of viz, to the URL of a Prometheus that Argo Rollouts may query without credentials',
  },
  'success-rate-refused': {
    severity: 'error',
    what: ({ rate }: { rate: number }) => `successRate is ${rate}, not a number above 0 and up to 1`,
    why: 'successRate is compared with the share of successful responses: every rollout would pass, or none',
    fix: 'set more than 0 and at most 1: 0.95 for 95 %',
  },
  'success-rate-refused/measurements': {
    severity: 'error',
    what: ({ measurements, failureLimit }: { measurements: number; failureLimit: number }) =>
      `measurements is ${measurements} and failureLimit is ${failureLimit}`,
    why: 'Argo Rollouts aborts when more than failureLimit measurements have failed: with these values it would never abort, or never measure',
    fix: 'set whole numbers, failureLimit from 0 and measurements greater than it',
  },
});
