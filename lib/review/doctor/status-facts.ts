import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { isWhole, itemsOf } from '../live/observation';
import type { StatusCode, StatusFinding } from '../status/finding';
import { isRotationStopped } from '../status/rules/operated';
import { certificatesIn, endOf, trustRootsIn } from '../status/x509';
import { type DoctorInput, type Fact, type Harm, type Subject, subjects, writtenBy } from './fact';
import { allRootsOf, idOf, placeOf, workloadOf, workloadOfPod } from './mesh';
import { certificatesOf, issuanceNeeds } from './rules/certificates';

type Links = Omit<Fact, keyof StatusFinding>;
type Parameters = Readonly<Record<string, string>>;
type LinksOf = (parameters: Parameters, input: DoctorInput) => Links;

/** Returns a finding of `status` with the subjects that it breaks and needs. */
export function factOf(finding: StatusFinding, input: DoctorInput): Fact {
  const { code, parameters = {} } = finding.problem;
  return { ...finding, ...LINKS.get(code)?.(parameters as Parameters, input) };
}

const LINKS: ReadonlyMap<string, LinksOf> = new Map<StatusCode, LinksOf>([
  ['workload-missing', missingWorkload],
  ['workload-unavailable', unavailableWorkload],
  ['certificate-missing', missingCertificate],
  ['certificate-expired', certificate],
  ['certificate-not-ready', certificate],
  ['certificate-renewal-overdue', certificate],
  ['trust-roots-missing', rootsOf],
  ['issuer-untrusted', untrustedIssuer],
  ['issuer-outlives-root', outlivingIssuer],
  ['trust-root-expired', (_, { mesh }) => ({ needs: subjects({ roots: allRootsOf(mesh) }) })],
  ['webhook-missing', ({ webhook = '' }) => ({ breaks: subjects({ webhook }), needs: applications(webhook) })],
  ['webhook-ca-missing', webhookCa],
  ['webhook-ca-expired', webhookCa],
  ['webhook-ca-wrong', webhookCa],
  ['trust-anchor-missing', () => ({ breaks: subjects({ anchor: 'mesh' }) })],
  ['trust-anchor-degraded', degradedAnchor],
  ['trust-anchor-late', operated],
  ['trust-anchor-paused', () => ({ breaks: subjects({ anchor: 'mesh' }) })],
  ['operator-behind', (_, { mesh }) => ({ needs: ofOperator(mesh) })],
  ['trust-anchor-laggards', held],
  ['linkerd-config-progressing', held],
  ['restarts-passed-by', held],
  ['linkerd-config-degraded', (parameters, { mesh }) => ({ needs: awaited(parameters, mesh) })],
  ['namespace-injection-differs', injection],
  ['pods-without-proxy', bare],
  ['proxies-not-ready', unready],
  ['proxies-starting', unready],
]);

function applications(id: string): readonly Subject[] {
  return subjects({ application: placeOf(id).namespace });
}

function missingWorkload({ workload: id = '' }: Parameters, { seen, now }: DoctorInput): Links {
  const { namespace } = placeOf(id);
  const isThere = itemsOf(seen.namespaces)?.some(({ name }) => name === namespace) ?? true;
  return {
    breaks: subjects({ workload: id }),
    needs: [...subjects({ namespace }), ...(isThere ? applications(id) : [])],
    harm: { rank: 2, at: now },
  };
}

function unavailableWorkload({ workload: id = '' }: Parameters, { seen }: DoctorInput): Links {
  const pods = (itemsOf(seen.pods) ?? []).filter((pod) => workloadOfPod(pod) === id && !pod.isReady && !pod.isOver);
  return {
    breaks: subjects({ workload: id }),
    needs: subjects({ start: id, namespace: placeOf(id).namespace, node: pods.map(({ node }) => node) }),
  };
}

function missingCertificate({ certificate: id = '' }: Parameters): Links {
  const [namespace] = id.split('/');
  return { needs: subjects({ application: namespace, namespace }) };
}

function certificate({ certificate: id = '' }: Parameters, input: DoctorInput): Links {
  const found = certificatesOf(input).find((one) => idOf(one) === id);
  if (found === undefined) return {};
  const end = found.notAfter ?? input.now;
  return {
    breaks: end <= input.now ? subjects({ certificate: id }) : [],
    needs: issuanceNeeds(found, input),
    harm: renewalHarm(id, end, input),
  };
}

/** Returns the harm that an expired certificate does. */
export function renewalHarm(id: string, at: number, { mesh, seen }: DoctorInput): Harm {
  if (id === `${mesh.namespace}/${IDENTITY_ISSUER}`) return { rank: 0, at };
  const isOfWebhook = (itemsOf(seen.webhooks) ?? []).some(({ caFrom }) => caFrom === id);
  return { rank: isOfWebhook ? 1 : 2, at };
}

function rootsOf(_: Parameters, { mesh, now }: DoctorInput): Links {
  return {
    breaks: subjects({ roots: mesh.namespace }),
    needs: subjects({ sync: 'mesh', workload: mesh.trustManager, namespace: mesh.namespace, anchor: 'mesh' }),
    harm: { rank: 0, at: now },
  };
}

/** If all roots have expired, this is why the issuer is not trusted. */
function untrustedIssuer(parameters: Parameters, input: DoctorInput): Links {
  const links = rootsOf(parameters, input);
  return { ...links, needs: [...(links.needs ?? []), ...subjects({ roots: allRootsOf(input.mesh) })] };
}

function outlivingIssuer(_: Parameters, { mesh, seen, now }: DoctorInput): Links {
  const end = Math.max(...certificatesIn(trustRootsIn(mesh.namespace, seen)).map(endOf));
  return {
    needs: [...ofOperator(mesh), ...subjects({ anchor: 'mesh', sync: 'mesh' })],
    harm: { rank: 0, at: Number.isFinite(end) ? end : now },
  };
}

function webhookCa({ webhook }: Parameters, { seen, mesh }: DoctorInput): Links {
  const found = itemsOf(seen.webhooks)?.find(({ kind, name }) => `${kind} ${name}` === webhook);
  return {
    breaks: subjects({ webhook }),
    needs: subjects({ workload: mesh.cainjector, certificate: found?.caFrom }),
    evidence: writtenBy(found?.changed),
  };
}

function ofOperator({ operator }: DoctorInput['mesh']): readonly Subject[] {
  return subjects({ workload: operator, leader: operator });
}

function operated(_: Parameters, { mesh }: DoctorInput): Links {
  return { breaks: subjects({ anchor: 'mesh' }), needs: ofOperator(mesh) };
}

const AWAITED: ReadonlyMap<string, (mesh: DoctorInput['mesh']) => readonly Subject[]> = new Map([
  ['BundleMissing', bundle],
  ['BundleOfHelm', bundle],
  ['IssuerMissing', certManager],
  ['ForeignRoot', bundle],
  ['RootsExpired', (mesh) => [...bundle(mesh), ...subjects({ roots: [mesh.namespace, allRootsOf(mesh)] })]],
  ['NoIdentity', (mesh) => subjects({ workload: mesh.identity })],
  [
    'IssuerExpired',
    (mesh) => [
      ...certManager(mesh),
      ...subjects({ renewals: 'mesh', certificate: `${mesh.namespace}/${IDENTITY_ISSUER}` }),
    ],
  ],
  ['NotIssued', certManager],
  ['NotUpToDate', kinds],
  ['Unreadable', kinds],
  ['InjectorMissing', (mesh) => subjects({ workload: mesh.injector, injection: 'pods' })],
  ['RolloutStuck', (mesh) => subjects({ injection: 'pods', identity: mesh.namespace })],
  // A rotation needs all of these.
  ['Overdue', (mesh) => [...certManager(mesh), ...bundle(mesh), ...subjects({ workload: mesh.identity })]],
]);

function bundle({ trustManager }: DoctorInput['mesh']): readonly Subject[] {
  return subjects({ workload: trustManager, sync: 'mesh', kinds: 'trust-manager' });
}

function certManager(mesh: DoctorInput['mesh']): readonly Subject[] {
  return subjects({ workload: mesh.certManager, leader: mesh.certManager, kinds: 'cert-manager' });
}

function kinds(): readonly Subject[] {
  return subjects({ kinds: ['cert-manager', 'trust-manager', 'linkerd', 'api'] });
}

function degradedAnchor({ reason = '' }: Parameters, { mesh }: DoctorInput): Links {
  return {
    breaks: isRotationStopped(reason) ? subjects({ anchor: 'mesh' }) : [],
    needs: awaited({ reason }, mesh),
  };
}

function awaited({ reason = '' }: Parameters, mesh: DoctorInput['mesh']): readonly Subject[] {
  return [...ofOperator(mesh), ...(AWAITED.get(reason)?.(mesh) ?? [])];
}

/** The operator restarts workloads as far as their budgets permit. */
function held(_: Parameters, { mesh, seen }: DoctorInput): Links {
  const workloads = (itemsOf(seen.pods) ?? []).filter(({ isOver }) => !isOver).map(workloadOfPod);
  return { needs: [...ofOperator(mesh), ...subjects({ eviction: workloads })] };
}

function injection({ namespace }: Parameters): Links {
  return {
    breaks: subjects({ admission: `injection ${namespace}` }),
    needs: subjects({ application: namespace }),
  };
}

function bare({ namespace }: Parameters, { now }: DoctorInput): Links {
  return {
    needs: subjects({ injection: 'pods', admission: `injection ${namespace}` }),
    harm: { rank: 2, at: now },
  };
}

function unready({ namespace }: Parameters, { seen, mesh, now }: DoctorInput): Links {
  const pods = (itemsOf(seen.pods) ?? []).filter(
    (pod) => pod.namespace === namespace && pod.proxy?.isReady === false && !pod.isOver,
  );
  return {
    needs: subjects({
      identity: mesh.namespace,
      destination: mesh.namespace,
      start: pods.map(workloadOfPod),
      node: pods.map(({ node }) => node),
    }),
    harm: { rank: 2, at: now },
  };
}

/** Whether no pod of a workload is running; false if unknown. */
export function isStopped(id: string | undefined, { seen }: DoctorInput): boolean {
  if (id === undefined || seen.workloads.is !== 'read' || !isWhole(seen.workloads)) return false;
  return (seen.workloads.items.find((one) => workloadOf(one) === id)?.running ?? 0) === 0;
}
