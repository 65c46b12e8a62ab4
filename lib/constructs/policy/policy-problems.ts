import { shownValue, violationOf } from '../../../operator/api/kubernetes/violation';
import type { Problem } from '../../kubernetes/findings/problem';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { definitionsOf } from '../../linkerd/releases/linkerd/definitions';
import type { Release } from '../../linkerd/releases/release';
import { POLICY_GROUP } from '../viz/authorization';
import type { GuardedPort } from './guarded-ports';

/** Clients that are no list. */
export function noClients(field: string, from: unknown): Problem {
  return {
    code: 'policy-clients-misshapen',
    violates: violationOf('form', from),
    what: `${field} is ${shownValue(from)}, not a list`,
    why: 'It is not known whom to let in: nobody would be',
    fix: 'write from: [web], or from: [] to let nobody in',
  };
}

/** A construct without an object, as those of cdk8s-plus that stand for what others make. */
export function withoutObject(field: string, path: string): Problem {
  return {
    code: 'policy-object-missing',
    what: `${field} is the construct ${path}, which has no object`,
    why: 'It stands for what is made elsewhere: neither pods nor a service account are known of it',
    fix: 'name clients that are made elsewhere by Clients.serviceAccount or Clients.namespace, and as a target an object that is made here',
  };
}

/** A call that comes to nothing, as the policies were made before it. */
export function tooLate(path: string): Problem {
  return {
    code: 'policy-too-late',
    what: `A policy is asked for ${path} after the policies were made`,
    why: 'They are made when somebody walks the tree, as synth does: this call comes to nothing',
    fix: 'call it before the tree is walked',
  };
}

/** Reports values of which a Server can have one. */
export function contested(
  { namespace, name }: GuardedPort,
  field: string,
  values: readonly string[],
): readonly Problem[] {
  if (values.length < 2) return [];
  return [
    {
      code: 'policy-contested',
      what: `Server ${namespace}/${name} is to have ${field} ${values.map((value) => `"${value}"`).join(' and ')}`,
      why: 'A port of the same pods has one Server, whoever asks for it',
      fix: `say ${field} once, or the same each time`,
    },
  ];
}

/** A mode that there is not. */
export function unknownMode(mode: unknown): Problem {
  return {
    code: 'policy-mode-unknown',
    violates: violationOf('form', mode),
    what: `mode is ${shownValue(mode)}`,
    why: 'Connections that nothing allows are either refused or told of',
    fix: "write 'audit' or 'deny'",
  };
}

/** Reports that a release cannot tell of what it would refuse. */
export function withoutAudit(release: Release): Problem {
  return {
    code: 'audit-unsupported',
    what: `mode is "audit", with ${release.version}`,
    why: 'Releases before 2.16 refuse connections, or let them in without a word',
    fix: "look at the metrics of clients first (`request_total` by `client_id`), and then use mode 'deny'; or move to a later release",
  };
}

/** Requests that are no list, or an empty one. */
export function noRequests(requests: unknown): Problem {
  return {
    code: 'policy-requests-misshapen',
    violates: violationOf('form', requests),
    what: `requests is ${shownValue(requests)}`,
    why: 'It could mean all requests as well as none',
    fix: 'leave requests out for all, or write those that are meant: [{ method, path }]',
  };
}

/** A name that two policies would have. */
export function nameTaken(object: KubernetesObject): Problem {
  return {
    code: 'policy-name-taken',
    what: `Two policies would be called ${describeObject(object)}, for different pods`,
    why: 'Names are made of the target and its port, and one would replace the other',
    fix: 'call it for targets of different names, or of the same pods',
  };
}

/** Tells whether the CRDs of a release have a kind of policy, by its plural. */
export function isDefined({ version }: Release, plural: string): boolean {
  return definitionsOf(version, {}).some(({ name }) => name === `${plural}.${POLICY_GROUP}`);
}

/** A kind of policy that a release does not know. */
export function unsupported(release: Release, call: string, kind: string): Problem {
  return {
    code: 'policy-unsupported',
    what: `${call} is called for ${release.version}, which has no ${kind}`,
    why: 'The API server would know no such kind, and the sync of the folder fail',
    fix: 'leave it out, or move to a later release of Linkerd',
  };
}
