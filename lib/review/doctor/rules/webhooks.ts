import { matchesSelector } from '#base/label-selector';
import { INJECTOR_WEBHOOK } from '#operator/api/names';
import type { ObservedHook, ObservedWebhook } from '../../live/certificates';
import { isWhole, itemsOf } from '../../live/observation';
import { type DoctorInput, doctorFinding, type Fact, type Subject, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { placeOf } from '../mesh';

/** Checks whether the API server reaches the webhooks of the mesh, and all others that can keep pods from starting. */
export function checkWebhooks(input: DoctorInput): readonly Fact[] {
  const { seen, mesh } = input;
  return (itemsOf(seen.webhooks) ?? []).flatMap((webhook) => {
    const isOfMesh = mesh.intent.webhooks.includes(`${webhook.kind} ${webhook.name}`);
    const hooks = webhook.hooks.filter((one) => isOfMesh || (one.isFailing && one.catchesPods));
    return [...checkReached(webhook, hooks, input), ...checkKubeSystem(webhook, input)];
  });
}

/** One finding for each configuration, about the first of its Services that cannot answer. */
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

/** Another workload serves these Services than the one of their name. */
const SERVED_BY_DESTINATION: readonly string[] = ['linkerd-sp-validator', 'linkerd-policy-validator', 'linkerd-policy'];

/** The workload of its name, or of the beginning of it. */
function serversOf(service: string, { intent, destination }: DoctorInput['mesh']): readonly Subject[] {
  const [namespace, name = ''] = service.split('/');
  const named = intent.workloads.filter((id) => {
    const place = placeOf(id);
    return place.namespace === namespace && (name === place.name || name.startsWith(`${place.name}-`));
  });
  const isOfDestination = namespace === placeOf(destination).namespace && SERVED_BY_DESTINATION.includes(name);
  return subjects({ workload: [...named, isOfDestination ? destination : undefined] });
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
