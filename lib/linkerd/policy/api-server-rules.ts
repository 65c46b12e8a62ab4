import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { fieldPath, selectFields, textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { type Guard, type Guards, isControlPlane, isOpen } from './guards';
import { isMeshed } from './pod-sets';

/** Where objects name the Services that API servers call. */
const CALLED: Readonly<Record<string, ReturnType<typeof fieldPath>>> = {
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': fieldPath('webhooks[].clientConfig.service'),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': fieldPath('webhooks[].clientConfig.service'),
  'apiextensions.k8s.io/CustomResourceDefinition': fieldPath('spec.conversion.webhook.clientConfig.service'),
  'apiregistration.k8s.io/APIService': fieldPath('spec.service'),
};

/** The port of a Service that API servers call by default. */
const HTTPS = 443;

/** Reports webhooks and APIServices whose pods refuse API servers, which have no identity in the mesh. */
export function checkCalledByApiServer(object: KubernetesObject, guards: Guards): readonly Problem[] {
  const path = CALLED[`${apiGroup(object.apiVersion)}/${object.kind}`];
  if (path === undefined) return [];
  const refusing = new Map<string, Problem>();
  for (const { value } of selectFields(object, path)) {
    const service = guards.service(textIn(value, 'namespace') ?? '', textIn(value, 'name') ?? '');
    if (service === undefined) continue;
    const { port = HTTPS } = isObject(value) ? value : {};
    for (const guard of guards.portsBehind(service, port).filter((one) => refusesApiServer(one, guards))) {
      const place = `port ${guard.port} of ${describeObject(guard.pods.object)}`;
      const found = { object: describeObject(object), service: describeObject(service), place };
      refusing.set(place, LINKERD_POLICY_FINDINGS.webhookDenied(found));
    }
  }
  return [...refusing.values()];
}

function refusesApiServer(guard: Guard, guards: Guards): boolean {
  const { pods, mode, admissions, routes } = guard;
  if (mode === undefined || isControlPlane(pods) || isMeshed(pods, guards.index) !== true) return false;
  return ![...admissions, ...guards.admissionsOfRoutes(routes)].some(isOpen);
}
