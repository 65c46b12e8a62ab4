import type { ApiObject } from 'cdk8s';
import { addRule } from '../../gitops/tree/add-rule';
import { jsonOf } from '../../gitops/tree/api-objects';
import { apiObjectOf, describeApiObject, type PlusResource } from '../../gitops/tree/meshable';
import type { Problem } from '../../kubernetes/findings/problem';
import { valueAt } from '../../kubernetes/json-pointer';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { textIn } from '../../kubernetes/select-fields';

/** The way in which other clusters use a service. */
export type ExportMode = 'gateway' | 'remote-discovery' | 'federated';

/** Label by which service mirrors find services to mirror. */
export const EXPORTED = 'mirror.linkerd.io/exported';
/** Label by which they find members of federated services. */
export const FEDERATED = 'mirror.linkerd.io/federated';

const LABELS: Readonly<Record<ExportMode, readonly [key: string, value: string]>> = {
  gateway: [EXPORTED, 'true'],
  'remote-discovery': [EXPORTED, 'remote-discovery'],
  federated: [FEDERATED, 'member'],
};

/** The cluster that exports a service. */
export interface Exporter {
  /** Its name; absent in a plain cdk8s chart. */
  readonly cluster: string | undefined;
  readonly hasGateway: boolean;
}

/** Labels a service so that other clusters use it. */
export function exportService(service: ApiObject | PlusResource, mode: ExportMode, exporter: Exporter): void {
  const object = apiObjectOf(service);
  const label = Object.hasOwn(LABELS, mode) ? LABELS[mode] : undefined;
  if (label === undefined) {
    addRule(service, () => [unknownMode(mode)]);
    return;
  }
  const [key, value] = label;
  const before = valueAt(object.metadata.toJson(), '/labels') as Readonly<Record<string, unknown>> | undefined;
  const existing = before?.[key];
  if (existing === undefined) object.metadata.addLabel(key, value);
  const contested =
    existing === undefined || existing === value ? [] : [contestedLabel(object, { key, value, existing })];
  addRule(service, () => [
    ...contested,
    ...jsonOf(object).flatMap((json) => checkExportedService(json, mode, exporter)),
  ]);
}

/** Reports why other clusters could not use a service. */
export function checkExportedService(
  service: KubernetesObject,
  mode: ExportMode,
  { cluster, hasGateway }: Exporter,
): readonly Problem[] {
  const named = describeObject(service);
  if (service.kind !== 'Service' || apiGroup(service.apiVersion) !== '') return [noService(named, service)];
  const spec = service.spec ?? {};
  if (textIn(spec, 'type') === 'ExternalName') return [externalName(named)];
  return [
    ...checkPorts(service, named),
    ...checkMirrorName(service, mode, cluster),
    ...(mode === 'federated' && textIn(spec, 'clusterIP') === 'None' ? [headlessMember(named)] : []),
    ...(mode === 'gateway' && !hasGateway ? [withoutGateway(named)] : []),
  ];
}

function checkPorts(service: KubernetesObject, named: string): readonly Problem[] {
  const ports = valueAt(service, '/spec/ports');
  const protocols = Array.isArray(ports) ? ports.map((port) => textIn(port, 'protocol') ?? 'TCP') : [];
  if (protocols.includes('TCP')) return [];
  return [
    {
      code: 'export-without-port',
      what: `${named} is exported, and has ${protocols.length === 0 ? 'no port' : `ports of ${protocols.join(' and ')} only`}`,
      why: 'Proxies carry TCP: a mirror of it leads nowhere',
      fix: 'export a service with a TCP port',
    },
  ];
}

/** The longest name of a Service. */
const LONGEST = 63;

/** Names of mirrors end with the name of the link, which is that of this cluster, or with that of federated services. */
function checkMirrorName(service: KubernetesObject, mode: ExportMode, cluster: string | undefined): readonly Problem[] {
  const suffix = mode === 'federated' ? 'federated' : cluster;
  if (suffix === undefined) return [];
  const mirror = `${service.metadata.name}-${suffix}`;
  if (mirror.length <= LONGEST) return [];
  return [
    {
      code: 'export-name-long',
      what: `${describeObject(service)} is exported, and its mirror would be ${mirror}, ${mirror.length} characters long`,
      why: `Names of Services have ${LONGEST} characters at most: the service mirrors of other clusters fail to make it`,
      fix: `shorten the name of the service to ${Math.max(1, LONGEST - suffix.length - 1)} characters or less`,
    },
  ];
}

function noService(named: string, { apiVersion }: KubernetesObject): Problem {
  return {
    code: 'export-of-no-service',
    what: `${named} (${apiVersion}) is exported`,
    why: 'Service mirrors look at Services only: the label would do nothing',
    fix: 'export the Service that leads to it',
  };
}

function externalName(named: string): Problem {
  return {
    code: 'export-of-external-name',
    what: `${named} is exported, and is of type ExternalName`,
    why: 'It has no pods, here or behind the gateway: a mirror of it leads nowhere',
    fix: 'make a Service of the same type in the clusters that need it',
  };
}

/** linkerd2, multicluster/service-mirror/cluster_watcher.go: "Headless service cannot join federated service". */
function headlessMember(named: string): Problem {
  return {
    code: 'federated-headless',
    what: `${named} is to be part of a federated service, and is headless`,
    why: 'Service mirrors refuse it: clients of a headless service choose pods by their names, of which each cluster has its own',
    fix: "export it by mode 'gateway' (with headlessServices of the Links to this cluster), or give it a cluster IP",
  };
}

function withoutGateway(named: string): Problem {
  return {
    code: 'export-without-gateway',
    what: `${named} is exported by way of the gateway, and this cluster has none`,
    why: 'No other cluster would mirror it: their Links say nothing of a gateway',
    fix: "give Multicluster a gateway, or export it by mode 'remote-discovery' in a flat network",
  };
}

function contestedLabel(
  object: ApiObject,
  { key, value, existing }: { readonly key: string; readonly value: string; readonly existing: unknown },
): Problem {
  return {
    code: 'export-contested',
    what: `${describeApiObject(object)} is to have the label ${key}: "${value}", but it has "${existing}" already`,
    why: 'A service is mirrored in one of these ways, and whoever wrote the other relies on it',
    fix: 'export it once; a federated service may be exported besides',
  };
}

function unknownMode(mode: unknown): Problem {
  return {
    code: 'export-mode-unknown',
    what: `A service is exported by mode ${JSON.stringify(mode)}`,
    why: 'No service mirror looks for it',
    fix: `choose one of ${Object.keys(LABELS).join(', ')}`,
  };
}
