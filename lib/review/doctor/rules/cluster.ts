import { shellWord } from '#base/shell-word';
import type { ObservedApplication } from '../../live/applications';
import { itemsOf, NEEDED_RESOURCES } from '../../live/observation';
import type { ObservedNode } from '../../live/workloads';
import { APPLICATION_FINDINGS } from '../../status/application-findings';
import { earliest, named } from '../../status/finding';
import { type DoctorInput, doctorFact, type Fact, writtenBy } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { namespacesOf, placeOf, workloadOfPod } from '../mesh';
import { refusalsIn, webhooksNamed } from './refusals';

/** Checks the cluster below the mesh: nodes, namespaces, kinds, APIServices and Applications of Argo CD. */
export function checkCluster(input: DoctorInput): readonly Fact[] {
  return [
    ...checkNodes(input),
    ...checkNamespaces(input),
    ...checkKinds(input),
    ...checkApis(input),
    ...(itemsOf(input.seen.applications) ?? []).flatMap((one) => checkApplication(one, input)),
  ];
}

function checkNodes(input: DoctorInput): readonly Fact[] {
  const { seen, kubectl } = input;
  const nodes = itemsOf(seen.nodes) ?? [];
  const used = new Set((itemsOf(seen.pods) ?? []).filter((pod) => !pod.isReady && !pod.isOver).map(({ node }) => node));
  const lost = nodes.filter(({ isReady }) => !isReady);
  const all = lost.length === nodes.length;
  const harmful = all ? lost : lost.filter(({ name }) => used.has(name));
  if (harmful.length > 0) {
    const problem = DOCTOR_FINDINGS.nodesNotReady({
      notReady: harmful.length,
      nodes: nodes.length,
      names: named(harmful.map(({ name }) => name)),
      kubectl,
    });
    const since = earliest(harmful.map(({ readySince }) => readySince));
    const breaks = { node: harmful.map(({ name }) => name), scheduling: all ? 'any' : undefined };
    return [doctorFact(problem, { since, breaks })];
  }
  return checkClosedNodes(nodes, input);
}

/** Cordoned and tainted nodes are a problem only if no other node is left for a pod of the mesh. */
function checkClosedNodes(nodes: readonly ObservedNode[], { seen, mesh, kubectl }: DoctorInput): readonly Fact[] {
  const isClosed = ({ isReady, isCordoned, taints }: ObservedNode) => !isReady || isCordoned || taints.length > 0;
  const waiting = (itemsOf(seen.pods) ?? []).some(
    (pod) => pod.unscheduled !== undefined && !pod.isOver && mesh.intent.workloads.includes(workloadOfPod(pod)),
  );
  const [first] = nodes;
  if (first === undefined || !waiting || !nodes.every(isClosed)) return [];
  const isEachCordoned = nodes.every(({ isCordoned }) => isCordoned);
  const isEachTainted = !nodes.some(({ isCordoned }) => isCordoned);
  const cordoned = named(nodes.flatMap(({ name, isCordoned }) => (isCordoned ? [name] : [])));
  const taints = named([...new Set(nodes.flatMap((node) => (node.isCordoned ? [] : node.taints)))]);
  const [taint = ''] = first.taints;
  const command = first.isCordoned
    ? `${kubectl} uncordon ${shellWord(first.name)}`
    : `${kubectl} taint nodes ${shellWord(first.name)} ${shellWord(`${taint}-`)}`;
  const problem = isEachCordoned
    ? DOCTOR_FINDINGS.nodesClosedCordoned({ cordoned, command })
    : isEachTainted
      ? DOCTOR_FINDINGS.nodesClosedTainted({ taints, command })
      : DOCTOR_FINDINGS.nodesClosedCordonedOrTainted({ cordoned, taints, command });
  const since = earliest(nodes.map((node) => node.closed?.at));
  const evidence = [...new Set(nodes.flatMap(({ closed: by }) => writtenBy(by)))];
  return [doctorFact(problem, { since, breaks: { scheduling: 'any' }, evidence })];
}

function checkNamespaces(input: DoctorInput): readonly Fact[] {
  const { seen, mesh, kubectl } = input;
  const places = new Set([...namespacesOf(mesh), ...refusalsIn(input).map(({ namespace }) => namespace)]);
  return (itemsOf(seen.namespaces) ?? []).flatMap(({ name: namespace, terminating }) => {
    if (terminating === undefined || !places.has(namespace)) return [];
    const { since, message } = terminating;
    const parts = { since, breaks: { namespace }, needs: { kinds: 'api' } };
    return doctorFact(DOCTOR_FINDINGS.namespaceTerminating({ namespace, message, kubectl }), parts);
  });
}

function checkKinds({ seen, mesh }: DoctorInput): readonly Fact[] {
  if (seen.resources.is !== 'read') return [];
  const served = new Set(seen.resources.items);
  // The operator manages the trust anchor with cert-manager and trust-manager.
  const isOperated = mesh.operator !== undefined && (itemsOf(seen.trustAnchors) ?? []).length > 0;
  const parts = [
    { part: 'linkerd', isNeeded: true, problem: DOCTOR_FINDINGS.kindsMissing, place: CRDS_NAMESPACE },
    {
      part: 'cert-manager',
      isNeeded: isOperated || mesh.certManager !== undefined,
      problem: DOCTOR_FINDINGS.kindsMissingCertManager,
      place: mesh.certManager && placeOf(mesh.certManager).namespace,
    },
    {
      part: 'trust-manager',
      isNeeded: isOperated || mesh.trustManager !== undefined,
      problem: DOCTOR_FINDINGS.kindsMissingTrustManager,
      place: mesh.trustManager && placeOf(mesh.trustManager).namespace,
    },
  ] as const;
  return parts.flatMap(({ part, isNeeded, problem, place }) => {
    const missing = NEEDED_RESOURCES[part].filter((one) => !served.has(one));
    if (!isNeeded || missing.length === 0) return [];
    return doctorFact(problem({ kinds: named(missing) }), { breaks: { kinds: part }, needs: { application: place } });
  });
}

function checkApis({ seen, kubectl }: DoctorInput): readonly Fact[] {
  return (itemsOf(seen.webhooks) ?? []).flatMap(({ name, unavailable }) => {
    if (unavailable === undefined) return [];
    const { message, since } = unavailable;
    const parts = { since, breaks: { kinds: 'api' }, needs: { webhook: `APIService ${name}` } };
    return doctorFact(DOCTOR_FINDINGS.apiUnavailable({ name, message, kubectl }), parts);
  });
}

const CRDS_NAMESPACE = 'linkerd-crds';

/** An Application that Argo CD does not sync explains missing objects in its namespaces. */
function checkApplication(application: ObservedApplication, input: DoctorInput): readonly Fact[] {
  const { name, sync, isAutomated, failure, errors, namespaces } = application;
  const [error] = errors;
  const places = namespaces.filter((one) => one !== '');
  const own = namespacesOf(input.mesh).add(CRDS_NAMESPACE);
  if (!places.some((one) => own.has(one))) return [];
  const breaks = { application: places };
  if (error !== undefined) {
    const { type: condition, message, since } = error;
    return [doctorFact(APPLICATION_FINDINGS.applicationInvalid({ name, condition, message }), { since, breaks })];
  }
  if (failure !== undefined && sync !== 'Synced') {
    const problem = APPLICATION_FINDINGS.applicationSyncFailed({ name, message: failure.message });
    return [doctorFact(problem, { since: failure.since, breaks, needs: webhooksNamed(failure.message, input) })];
  }
  return sync === 'OutOfSync' && !isAutomated
    ? [doctorFact(DOCTOR_FINDINGS.applicationPaused({ name }), { breaks })]
    : [];
}
