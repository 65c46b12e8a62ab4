import type { ApiObject } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { valueAtPointer } from '#base/json-pointer';
import { textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { MIRROR_EXPORTED, MIRROR_FEDERATED } from '#linkerd/annotations';
import { addRule } from '../../gitops/tree/add-rule';
import { jsonOf } from '../../gitops/tree/api-objects';
import { apiObjectOf, describeApiObject, type PlusResource } from '../../gitops/tree/meshable';
import { MULTICLUSTER_FINDINGS } from './findings';

/** How other clusters use a service. */
export type ExportMode = 'gateway' | 'remote-discovery' | 'federated';

const LABELS: Readonly<Record<ExportMode, readonly [key: string, value: string]>> = {
  gateway: [MIRROR_EXPORTED, 'true'],
  'remote-discovery': [MIRROR_EXPORTED, 'remote-discovery'],
  federated: [MIRROR_FEDERATED, 'member'],
};

/** The cluster that exports a service. */
export interface Exporter {
  /** Name of the cluster; absent in a plain cdk8s chart. */
  readonly cluster: string | undefined;
  readonly hasGateway: boolean;
}

/** Labels a service so that other clusters use it. */
export function exportService(service: ApiObject | PlusResource, mode: ExportMode, exporter: Exporter): void {
  const object = apiObjectOf(service);
  const label = Object.hasOwn(LABELS, mode) ? LABELS[mode] : undefined;
  if (label === undefined) {
    const known = Object.keys(LABELS).join(', ');
    addRule(service, () => [MULTICLUSTER_FINDINGS.exportRefusedMode({ mode: String(JSON.stringify(mode)), known })]);
    return;
  }
  const [key, value] = label;
  const before = valueAtPointer(object.metadata.toJson(), '/labels') as Readonly<Record<string, unknown>> | undefined;
  const existing = before?.[key];
  if (existing === undefined) object.metadata.addLabel(key, value);
  const contested =
    existing === undefined || existing === value
      ? []
      : [
          MULTICLUSTER_FINDINGS.exportRefusedContested({
            object: describeApiObject(object),
            key,
            value,
            existing: String(existing),
          }),
        ];
  addRule(service, () => [
    ...contested,
    ...jsonOf(object).flatMap((json) => checkExportedService(json, mode, exporter)),
  ]);
}

/** Reports problems that keep other clusters from using a service. */
export function checkExportedService(
  service: KubernetesObject,
  mode: ExportMode,
  { cluster, hasGateway }: Exporter,
): readonly Problem[] {
  const named = describeObject(service);
  if (service.kind !== 'Service' || apiGroup(service.apiVersion) !== '')
    return [MULTICLUSTER_FINDINGS.exportRefusedObject({ object: named, apiVersion: service.apiVersion })];
  const spec = service.spec ?? {};
  if (textIn(spec, 'type') === 'ExternalName')
    return [MULTICLUSTER_FINDINGS.exportRefusedExternalName({ service: named })];
  return [
    ...checkPorts(service, named),
    ...checkMirrorName(service, mode, cluster),
    // linkerd2, multicluster/service-mirror/cluster_watcher.go: "Headless service cannot join federated service".
    ...(mode === 'federated' && textIn(spec, 'clusterIP') === 'None'
      ? [MULTICLUSTER_FINDINGS.exportRefusedHeadless({ service: named })]
      : []),
    ...(mode === 'gateway' && !hasGateway ? [MULTICLUSTER_FINDINGS.exportRefusedGateway({ service: named })] : []),
  ];
}

function checkPorts(service: KubernetesObject, named: string): readonly Problem[] {
  const ports = valueAtPointer(service, '/spec/ports');
  const protocols = Array.isArray(ports) ? ports.map((port) => textIn(port, 'protocol') ?? 'TCP') : [];
  return protocols.includes('TCP') ? [] : [MULTICLUSTER_FINDINGS.exportRefusedPort({ service: named })];
}

const MAX_LENGTH = 63;

/** The name of a mirror ends with the name of the link, which is this cluster's name, or with `federated`. */
function checkMirrorName(service: KubernetesObject, mode: ExportMode, cluster: string | undefined): readonly Problem[] {
  const suffix = mode === 'federated' ? 'federated' : cluster;
  if (suffix === undefined) return [];
  const mirror = `${service.metadata.name}-${suffix}`;
  if (mirror.length <= MAX_LENGTH) return [];
  return [
    MULTICLUSTER_FINDINGS.exportRefusedName({
      service: describeObject(service),
      mirror,
      length: mirror.length,
      most: MAX_LENGTH,
      longest: Math.max(1, MAX_LENGTH - suffix.length - 1),
    }),
  ];
}
