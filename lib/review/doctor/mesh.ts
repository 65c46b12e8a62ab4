import { TRUST_ROOTS } from '#anchor/trust-anchor';
import {
  CNI_RESOURCE,
  CONTROL_PLANE_COMPONENT,
  CONTROL_PLANE_NS,
  EXTENSION,
  IS_CONTROL_PLANE,
} from '#linkerd/annotations';
import { FIELD_MANAGER, INJECTOR_DEPLOYMENT } from '#operator/api/names';
import type { ObservedCertificate, ObservedIssuer } from '../live/certificates';
import type { ObservedName } from '../live/fields';
import { type DoctorObservation, isWhole, itemsOf } from '../live/observation';
import type { ObservedPod } from '../live/pods';
import type { ObservedWorkload } from '../live/workloads';
import type { ClusterIntent } from '../status/intent';

/** The mesh of a cluster, with its workloads by role: `Deployment linkerd/linkerd-identity`. */
export interface Mesh {
  /** The expected contents of the cluster, from its output and from the observed objects. */
  readonly intent: ClusterIntent;
  /** The namespace of the control plane. */
  readonly namespace: string;
  readonly identity: string;
  readonly destination: string;
  readonly injector: string;
  /** Absent if no part of the mesh needs cert-manager. */
  readonly certManager?: string;
  readonly cainjector?: string;
  readonly trustManager?: string;
  readonly operator?: string;
}

/** Returns the mesh of a cluster; undefined if it has no control plane. An output adds parts that the cluster lacks. */
export function meshIn(seen: DoctorObservation, output: ClusterIntent | undefined): Mesh | undefined {
  const namespace = output?.controlPlane ?? controlPlanesIn(seen)[0];
  if (namespace === undefined) return undefined;
  const workloads = itemsOf(seen.workloads) ?? [];
  const own = workloads.filter(isOfMesh);
  const operator = own.find(({ labels }) => labels['app.kubernetes.io/name'] === FIELD_MANAGER);
  const namespaces = new Set([namespace, ...own.map((one) => one.namespace), ...(output?.meshNamespaces ?? [])]);
  const certificates = meshCertificates(seen, namespaces);
  const platform = platformOf(seen, { certificates, output });
  const controlPlane = CONTROL_PLANE.map((name) => `Deployment ${namespace}/${name}`);
  const found = [...own.map(workloadOf), ...controlPlane, ...Object.values(platform), ...(output?.workloads ?? [])];
  const [destination = '', identity = '', injector = ''] = controlPlane;
  return {
    namespace,
    destination,
    identity,
    injector,
    ...platform,
    ...(operator !== undefined && { operator: workloadOf(operator) }),
    intent: {
      ...(output ?? NOTHING),
      controlPlane: namespace,
      meshNamespaces: [...namespaces].sort(),
      workloads: [...new Set(found)].sort(),
      webhooks: [...new Set([...linkerdWebhooks(seen, namespaces), ...(output?.webhooks ?? [])])].sort(),
      hasBundle: true,
    },
  };
}

/** Returns the observation for the rules of `status`, with only the Certificates of the mesh and of their CAs. */
export function meshOnly(seen: DoctorObservation, mesh: Mesh): DoctorObservation {
  if (seen.certificates.is !== 'read') return seen;
  const items = meshCertificates(seen, new Set(mesh.intent.meshNamespaces));
  return { ...seen, certificates: { ...seen.certificates, items } };
}

const NOTHING: Omit<ClusterIntent, 'controlPlane' | 'meshNamespaces' | 'workloads' | 'webhooks' | 'hasBundle'> = {
  name: '',
  folders: [],
  injected: [],
  certificates: [],
  hasTrustAnchor: false,
  configs: [],
  links: [],
};

const CONTROL_PLANE = ['linkerd-destination', 'linkerd-identity', INJECTOR_DEPLOYMENT];

/** Without this webhook configuration, no pod gets a proxy. */
export const INJECTOR_CONFIGURATION = 'MutatingWebhookConfiguration linkerd-proxy-injector-webhook-config';

/**
 * Returns the namespaces of control planes, those with most parts first. One part is enough to find a control plane:
 * all others may be missing. Trust roots show one only beside another part, or if nothing else exists: a Bundle may write
 * them into each namespace.
 */
export function controlPlanesIn({ workloads, namespaces, bundles, installed }: DoctorObservation): readonly string[] {
  const labelled = (itemsOf(namespaces) ?? []).filter(({ labels }) => labels[IS_CONTROL_PLANE] === 'true');
  const found = [
    ...(itemsOf(workloads) ?? []).filter(({ labels, name }) => isComponent(labels) && CONTROL_PLANE.includes(name)),
    ...labelled.map(({ name }) => ({ namespace: name })),
    ...(itemsOf(installed) ?? []),
  ];
  const roots = (itemsOf(bundles) ?? []).filter(({ name }) => name === TRUST_ROOTS);
  const beside = roots.filter(
    (root) => found.length === 0 || found.some(({ namespace }) => namespace === root.namespace),
  );
  const parts = new Map<string, number>();
  for (const { namespace } of [...found, ...beside]) parts.set(namespace, (parts.get(namespace) ?? 0) + 1);
  return [...parts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([namespace]) => namespace);
}

function isComponent(labels: Readonly<Record<string, string>>): boolean {
  return labels[CONTROL_PLANE_COMPONENT] !== undefined || labels[CONTROL_PLANE_NS] !== undefined;
}

function isOfMesh({ labels }: ObservedWorkload): boolean {
  const isPart = [EXTENSION, CNI_RESOURCE].some((label) => labels[label] !== undefined);
  return isComponent(labels) || isPart || labels['app.kubernetes.io/name'] === FIELD_MANAGER;
}

/** Returns `Deployment namespace/name`. */
export function workloadOf({ kind, namespace, name }: ObservedName & { readonly kind: string }): string {
  return `${kind} ${namespace}/${name}`;
}

/** Returns the workload of a pod as `Deployment namespace/name`. */
export function workloadOfPod({ namespace, workload }: Pick<ObservedPod, 'namespace' | 'workload'>): string {
  const [kind = '', name = ''] = workload.split('/');
  return `${kind} ${namespace}/${name}`;
}

/** Returns the namespace and the name of `Deployment namespace/name`. */
export function placeOf(workload: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = ''] = workload.slice(workload.indexOf(' ') + 1).split('/');
  return { namespace, name };
}

/** Returns the namespaces of the mesh, of cert-manager and of trust-manager. */
export function namespacesOf({ intent, certManager, cainjector, trustManager }: Mesh): Set<string> {
  const needed = [certManager, cainjector, trustManager].flatMap((one) =>
    one === undefined ? [] : placeOf(one).namespace,
  );
  return new Set([...intent.meshNamespaces, ...needed]);
}

/** Returns the name of the subject for all trust roots together. */
export function allRootsOf({ namespace }: Mesh): string {
  return `all of ${namespace}`;
}

/** Returns `namespace/name`. */
export function idOf({ namespace, name }: ObservedName): string {
  return `${namespace}/${name}`;
}

/** Returns the Certificates in some namespaces, and those of the CAs that sign them. */
export function meshCertificates(
  { certificates, issuers }: Pick<DoctorObservation, 'certificates' | 'issuers'>,
  namespaces: ReadonlySet<string>,
): readonly ObservedCertificate[] {
  const all = itemsOf(certificates) ?? [];
  const byIssuer = new Map((itemsOf(issuers) ?? []).map((one) => [one.issuer, one]));
  const found = new Set(all.filter(({ namespace }) => namespaces.has(namespace)));
  // The loop also visits the Certificates that it adds to the set.
  for (const { issuer = '' } of found) {
    for (const parent of all.filter((one) => isCaOf(one, byIssuer.get(issuer)))) found.add(parent);
  }
  return [...found];
}

/** Whether a Certificate creates the Secret of an issuer. For a ClusterIssuer, the namespace is not compared. */
export function isCaOf({ namespace, secretName }: ObservedCertificate, issuer: ObservedIssuer | undefined): boolean {
  if (issuer?.secretName === undefined || issuer.secretName !== secretName) return false;
  const [kind, place = ''] = issuer.issuer.split(' ');
  return kind === 'ClusterIssuer' || place.startsWith(`${namespace}/`);
}

/** The labels and names of the Deployments in the charts of cert-manager and trust-manager. */
const PLATFORM = {
  certManager: { label: 'cert-manager', name: 'cert-manager' },
  cainjector: { label: 'cainjector', name: 'cert-manager-cainjector' },
  trustManager: { label: 'trust-manager', name: 'trust-manager' },
} as const;

type PlatformPart = keyof typeof PLATFORM;

function platformOf(
  { workloads, webhooks, trustBundles, namespaces }: DoctorObservation,
  {
    certificates,
    output,
  }: { readonly certificates: readonly ObservedCertificate[]; readonly output: ClusterIntent | undefined },
): { readonly [Part in PlatformPart]?: string } {
  if (workloads.is !== 'read' || !isWhole(workloads)) return {};
  const isInjected = (itemsOf(webhooks) ?? []).some(({ caFrom }) => caFrom !== undefined);
  const needed: Readonly<Record<PlatformPart, boolean>> = {
    certManager: certificates.length > 0 || (output?.certificates.length ?? 0) > 0,
    cainjector: certificates.length > 0 && isInjected,
    trustManager: (itemsOf(trustBundles) ?? []).length > 0,
  };
  const parts = Object.keys(PLATFORM) as PlatformPart[];
  const found = new Map(parts.map((part) => [part, platformWorkload(workloads.items, PLATFORM[part])] as const));
  const home =
    [...found.values()].find((one) => one !== undefined)?.namespace ??
    itemsOf(namespaces)?.find(({ name }) => name === 'cert-manager')?.name ??
    'cert-manager';
  return Object.fromEntries(
    parts.flatMap((part) => {
      const workload = found.get(part);
      if (!needed[part]) return [];
      return [[part, workload === undefined ? `Deployment ${home}/${PLATFORM[part].name}` : workloadOf(workload)]];
    }),
  );
}

/** Compares label and name: other Deployments may have the label, and a release may have another name. */
function platformWorkload(
  workloads: readonly ObservedWorkload[],
  { label, name }: (typeof PLATFORM)[PlatformPart],
): ObservedWorkload | undefined {
  const own = workloads.filter(({ kind }) => kind === 'Deployment');
  const labelled = own.filter(({ labels }) => labels['app.kubernetes.io/name'] === label);
  return labelled.find((one) => one.name === name) ?? labelled[0] ?? own.find((one) => one.name === name);
}

function linkerdWebhooks({ webhooks }: DoctorObservation, namespaces: ReadonlySet<string>): readonly string[] {
  if (webhooks.is !== 'read') return [];
  const own = webhooks.items.filter(({ hooks, caFrom = '' }) =>
    [caFrom, ...hooks.map(({ service = '' }) => service)].some((id) => namespaces.has(id.split('/')[0] ?? '')),
  );
  return [INJECTOR_CONFIGURATION, ...own.map(({ kind, name }) => `${kind} ${name}`)];
}
