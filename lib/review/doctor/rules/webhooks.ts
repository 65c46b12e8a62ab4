import { grouped } from '#base/grouped';
import { matchesSelector } from '#base/label-selector';
import { isAmong } from '#lib/checks/policy/pod-sets';
import { INJECTOR_WEBHOOK } from '#operator/api/names';
import type { ObservedHook, ObservedWebhook } from '../../live/certificates';
import type { ObservedServer } from '../../live/mesh';
import { isWhole, itemsOf } from '../../live/observation';
import type { ObservedPod } from '../../live/pods';
import { named } from '../../status/finding';
import type { DoctorInput } from '../fact';
import { doctorFact, doctorFinding, type Fact, type Subject, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { placeOf } from '../mesh';
import { refusalsIn } from './refusals';

/** Checks whether the API server reaches the webhooks of the mesh, and others that can prevent pods from starting. */
export function checkWebhooks(input: DoctorInput): readonly Fact[] {
  const { seen, mesh } = input;
  const messages = messagesIn(input);
  const denials = denialsIn(input);
  return (itemsOf(seen.webhooks) ?? []).flatMap((webhook) => {
    const isOfMesh = mesh.intent.webhooks.includes(`${webhook.kind} ${webhook.name}`);
    const hooks = webhook.hooks.filter((one) => isOfMesh || (one.isFailing && one.catchesPods));
    const unreached = checkReached(webhook, hooks, input);
    return [
      ...(unreached.length > 0 ? unreached : checkNetwork(webhook, messages, input)),
      ...checkAccess(webhook, denials),
      ...checkKubeSystem(webhook, input),
    ];
  });
}

/** Returns at most one finding: about the first Service of the configuration that has no ready endpoint. */
function checkReached(
  { kind, name }: ObservedWebhook,
  hooks: readonly ObservedHook[],
  { seen, mesh, now, kubectl }: DoctorInput,
): readonly Fact[] {
  if (seen.endpoints.is !== 'read' || !isWhole(seen.endpoints)) return [];
  const { items } = seen.endpoints;
  const slicesOf = (service: string) => items.filter((one) => `${one.namespace}/${one.service}` === service);
  const hook = hooks.find(
    ({ service }) => service !== undefined && slicesOf(service).every(({ ready }) => ready === 0),
  );
  if (hook?.service === undefined) return [];
  const { service, isFailing, catchesPods } = hook;
  const [namespace = '', serviceName = ''] = service.split('/');
  const webhook = `${kind} ${name}`;
  const parameters = { webhook, service, kubectl, namespace, name: serviceName };
  const isMissing = slicesOf(service).length === 0;
  return [
    {
      ...doctorFinding(
        isMissing
          ? DOCTOR_FINDINGS.webhookUnreachableService(parameters)
          : DOCTOR_FINDINGS.webhookUnreachableEndpoints(parameters),
      ),
      breaks: subjects({ webhook }),
      needs: [...serversOf(service, mesh), ...subjects({ namespace, application: namespace })],
      ...(isFailing && catchesPods && { harm: { rank: 1 as const, at: now } }),
    },
  ];
}

/** Errors of the API server about a connection that was neither accepted nor refused. */
const TIMED_OUT =
  /deadline exceeded|i\/o timeout|no route to host|timed out|Client\.Timeout|request canceled while waiting|handshake timeout/;

/** Returns the messages of API servers about requests that took too long. */
function messagesIn(input: DoctorInput): readonly string[] {
  const failures = (itemsOf(input.seen.applications) ?? []).map(({ failure }) => failure?.message ?? '');
  const messages = [...refusalsIn(input).map(({ message }) => message), ...failures];
  return [...new Set(messages)].filter((message) => TIMED_OUT.test(message));
}

/** Checks for webhooks that time out although their pods are ready: kubelets reach the pods, API servers do not. */
function checkNetwork(
  { kind, name, hooks, unavailable }: ObservedWebhook,
  messages: readonly string[],
  { seen, now }: DoctorInput,
): readonly Fact[] {
  const ofApi = TIMED_OUT.test(unavailable?.message ?? '') ? unavailable?.message : undefined;
  const found = hooks.flatMap((hook) => {
    const message = ofApi ?? messages.find((one) => one.includes(`webhook "${hook.name}"`));
    const slices = (itemsOf(seen.endpoints) ?? []).filter(
      (one) => `${one.namespace}/${one.service}` === hook.service && one.ready > 0,
    );
    return message === undefined || slices.length === 0 ? [] : [{ hook, message, slices }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const { hook, message, slices } = first;
  const webhook = `${kind} ${name}`;
  const ports = named(slices.flatMap((one) => (one.ports ?? []).map(String)));
  return [
    {
      ...doctorFinding(
        DOCTOR_FINDINGS.webhookUnreachableNetwork({ webhook, service: hook.service ?? '', ports, message }),
        unavailable?.since,
      ),
      breaks: subjects({ webhook }),
      ...(hook.isFailing && hook.catchesPods && { harm: { rank: 1 as const, at: now } }),
    },
  ];
}

/** linkerd-destination serves these Services, although they have other names. */
const SERVED_BY_DESTINATION: readonly string[] = ['linkerd-sp-validator', 'linkerd-policy-validator', 'linkerd-policy'];

/** Finds the workload by the name of the Service, or by a prefix of that name. */
function serversOf(service: string, { intent, destination }: DoctorInput['mesh']): readonly Subject[] {
  const [namespace, name = ''] = service.split('/');
  const named = intent.workloads.filter((id) => {
    const place = placeOf(id);
    return place.namespace === namespace && (name === place.name || name.startsWith(`${place.name}-`));
  });
  const isOfDestination = namespace === placeOf(destination).namespace && SERVED_BY_DESTINATION.includes(name);
  return subjects({ workload: [...named, isOfDestination ? destination : undefined] });
}

function checkAccess({ kind, name, hooks }: ObservedWebhook, denials: ReadonlyMap<string, Denial>): readonly Fact[] {
  const webhook = `${kind} ${name}`;
  const hook = hooks.find(({ service = '' }) => denials.has(service));
  const denial = hook?.service === undefined ? undefined : denials.get(hook.service);
  if (hook === undefined || denial === undefined) return [];
  const problem = DOCTOR_FINDINGS.webhookDeniedLive({ webhook, service: hook.service ?? '', ...denial });
  return [doctorFact(problem, { breaks: { webhook } })];
}

function checkKubeSystem({ kind, name, hooks }: ObservedWebhook, { seen, kubectl }: DoctorInput): readonly Fact[] {
  const kubeSystem = itemsOf(seen.namespaces)?.find((one) => one.name === 'kube-system');
  const covers = hooks.some(
    (hook) =>
      hook.name === INJECTOR_WEBHOOK &&
      hook.isFailing &&
      hook.catchesPods &&
      kubeSystem !== undefined &&
      matchesSelector(hook.namespaceSelector, kubeSystem.labels, 'everything'),
  );
  if (!covers) return [];
  const problem = DOCTOR_FINDINGS.kubeSystemUnprotected({ webhook: `${kind} ${name}`, kubectl });
  return [doctorFinding(problem)];
}

/** A port at which pods refuse the API server, which is not in the mesh. */
interface Denial {
  readonly port: string;
  /** The policy that refuses the API server: `Server shop/hook`, or the default policy of the pods. */
  readonly guard: string;
}

/** Policies that refuse every client outside the mesh. */
const MESHED_ONLY: readonly string[] = ['deny', 'all-authenticated', 'cluster-authenticated'];

/** Returns the Services of webhooks with pods that refuse the API server, by name. Unknown policies permit it. */
function denialsIn({ seen }: DoctorInput): ReadonlyMap<string, Denial> {
  if (![seen.servers, seen.authorizations].every((reading) => isWhole<unknown>(reading))) return new Map();
  const called = new Set(
    (itemsOf(seen.webhooks) ?? []).flatMap(({ hooks }) => hooks.flatMap(({ service }) => service ?? [])),
  );
  const slices = (itemsOf(seen.endpoints) ?? []).filter((one) => called.has(`${one.namespace}/${one.service}`));
  const pods = new Map(
    slices.length === 0 ? [] : (itemsOf(seen.pods) ?? []).map((pod) => [`${pod.namespace}/${pod.name}`, pod] as const),
  );
  const refusesStrangers = policiesOf(seen);
  return new Map(
    slices.flatMap(({ namespace, service, ports = [], pods: names = [] }) => {
      const own = names.flatMap((name) => pods.get(`${namespace}/${name}`) ?? []);
      const denials = own.flatMap((pod) => ports.flatMap((port) => refusesStrangers(pod, port) ?? []));
      return denials[0] === undefined ? [] : [[`${namespace}/${service}`, denials[0]] as const];
    }),
  );
}

function policiesOf(seen: DoctorInput['seen']): (pod: ObservedPod, port: number) => Denial | undefined {
  const servers = grouped((itemsOf(seen.servers) ?? []).map((one) => [one.namespace, one] as const));
  const open = (itemsOf(seen.authorizations) ?? []).filter(({ isMeshed }) => isMeshed !== true);
  const permitted = new Set(open.map(({ namespace, server }) => `${namespace}/${server ?? '*'}`));
  return ({ namespace, labels, proxy, inbound = {} }, port) => {
    const { policy = '', skipped = '', ports = {} } = inbound;
    if (proxy === undefined || isAmong(skipped, port)) return undefined;
    const isOfPort = (one: ObservedServer) => one.port === port || ports[one.port ?? ''] === port;
    const server = servers
      .get(namespace)
      ?.find((one) => isOfPort(one) && matchesSelector(one.podSelector, labels, 'nothing'));
    if (server === undefined) {
      const guard = `the default policy ${policy}`;
      return MESHED_ONLY.includes(policy) ? { port: `${port}`, guard } : undefined;
    }
    const isPermitted = [server.name, '*'].some((name) => permitted.has(`${namespace}/${name}`));
    const isClosed = MESHED_ONLY.includes(server.accessPolicy ?? 'deny');
    return isClosed && !isPermitted ? { port: `${port}`, guard: `Server ${namespace}/${server.name}` } : undefined;
  };
}
