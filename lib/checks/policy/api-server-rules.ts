import type { Problem } from '#base/findings/problem';
import { objectOf } from '#base/is-object';
import { textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { calledServices } from '../webhook-check';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { type Guard, type Guards, isControlPlane, isOpen } from './guards';
import { isMeshed } from './pod-sets';

/** The port of a Service that API servers call by default. */
const HTTPS = 443;

/** Reports webhooks and APIServices whose pods refuse API servers, which have no identity in the mesh. */
export function checkCalledByApiServer(object: KubernetesObject, guards: Guards): readonly Problem[] {
  const refusing = new Map<string, Problem>();
  for (const { value } of calledServices(object)) {
    const service = guards.service(textIn(value, 'namespace') ?? '', textIn(value, 'name') ?? '');
    if (service === undefined) continue;
    const { port = HTTPS } = objectOf(value);
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
