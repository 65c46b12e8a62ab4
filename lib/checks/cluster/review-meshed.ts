import { type Finding, findingsAt } from '#base/findings/finding';
import { textIn } from '#base/select-fields';
import { isMap, mergeValues, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isNamespace } from '#kubernetes/objects/pod-places';
import { chartDefaults } from '#linkerd/releases/chart-defaults';
import { partOfChart, releaseOfChart } from '#linkerd/releases/charts';
import { releaseFacts } from '#linkerd/releases/release-facts';
import { checkInjectedObject, type InjectorReach } from '../linkerd/injection-check';
import {
  checkInjectorDeadlocks,
  checkInjectorWebhook,
  injectorWebhooks,
  type NeededNamespace,
  selectsUnlabelled,
} from '../linkerd/injector-deadlock';
import { checkJobEnds, isJob, type JobMesh } from '../linkerd/job-check';
import { hasOpaquePorts, opaquePortWarnings } from '../linkerd/opaque-ports-check';
import { opaqueServers } from '../linkerd/release-faults';
import type { PlacedObject } from '../object-rule';
import { isControlPlane } from '../policy/guards';
import { PodIndex } from '../policy/pod-index';
import { isMeshed, podSetsOf, settingOf } from '../policy/pod-sets';
import { injectorValuesIn, proxySettings } from '../policy/proxy-settings';
import type { CheckedCluster } from './checked-cluster';
import { inflatedMesh, installedParts, lookupNamespaces } from './declared';

/** Reports objects that keep pods out of the mesh, or prevent meshed pods from starting or ending. */
export function reviewMeshedPods(cluster: CheckedCluster): readonly Finding[] {
  const { objects } = cluster;
  const plain = objects.map(({ object }) => object);
  const values = injectorValuesIn(plain, inflatedMesh(cluster) ?? {});
  const index = new PodIndex(plain, () => proxySettings(values));
  const reach = reachOf(plain, values);
  const servers = opaqueServers(plain);
  return [
    ...objects.flatMap(({ path, object }) => findingsAt(path, checkInjectedObject(object, reach))),
    ...jobFindings(objects, index, jobMesh(cluster, values)),
    ...deadlockFindings(cluster, plain),
    ...objects
      .filter(({ object }) => hasOpaquePorts(object))
      .flatMap(({ path, object }) => findingsAt(path, opaquePortWarnings(object, index, servers))),
  ];
}

function reachOf(objects: readonly KubernetesObject[], values: Values): InjectorReach {
  const selectors = objects.flatMap(injectorWebhooks).map(({ namespaceSelector }) => namespaceSelector);
  const given = valueAt(values, 'proxyInjector.namespaceSelector');
  const known = selectors.length > 0 ? selectors : given === undefined || given === null ? [] : [given];
  return {
    labels: new Map(objects.filter(isNamespace).map(({ metadata }) => [metadata.name, metadata.labels ?? {}])),
    exemptsByName: !known.some((selector) => selectsUnlabelled(selector, 'kube-system')),
  };
}

function jobFindings(objects: readonly PlacedObject[], index: PodIndex, mesh: JobMesh): readonly Finding[] {
  return objects
    .filter(({ object }) => isJob(object))
    .flatMap(({ path, object }) => {
      const [pods] = podSetsOf(object);
      const isInjected =
        pods !== undefined && !pods.hasProxy && !isControlPlane(pods) && isMeshed(pods, index) === true;
      return isInjected
        ? findingsAt(
            path,
            checkJobEnds(object, (key) => settingOf(pods, key, index), mesh),
          )
        : [];
    });
}

function jobMesh(cluster: CheckedCluster, values: Values): JobMesh {
  const facts = releaseFacts(installedParts(cluster).find(({ part }) => part === 'controlPlane')?.release ?? '');
  const given = valueAt(values, 'proxy.nativeSidecar');
  if (facts === undefined) return { isNative: typeof given === 'boolean' ? given : undefined };
  const isNativeByDefault = valueAt(chartDefaults(facts.charts.controlPlane), 'proxy.nativeSidecar') === true;
  const { nativeSidecarAnnotation } = facts.injector;
  return {
    release: { version: facts.version, nativeSidecarAnnotation, isNativeByDefault },
    isNative: nativeSidecarAnnotation !== undefined && (typeof given === 'boolean' ? given : isNativeByDefault),
  };
}

function deadlockFindings(cluster: CheckedCluster, objects: readonly KubernetesObject[]): readonly Finding[] {
  const namespaceNamed = (name: string): NeededNamespace => {
    const known = objects.find((object) => isNamespace(object) && object.metadata.name === name);
    return { name, labels: known?.metadata.labels ?? {}, isUnknown: known === undefined };
  };
  const certManager = lookupNamespaces(cluster).clusterIssuers ?? certManagerAmong(objects);
  const needed = ['kube-system', ...(certManager === undefined ? [] : [certManager])].map(namespaceNamed);
  return [
    ...cluster.objects.flatMap(({ path, object }) =>
      findingsAt(path, checkInjectorWebhook(object, needed, namespaceNamed)),
    ),
    ...cluster.releases
      .filter(({ release: { chart } }) => partOfChart(chart.name) === 'controlPlane')
      .flatMap(({ path, release: { chart, values } }) => {
        const defaults = controlPlaneDefaults(releaseOfChart(chart));
        // The selector is unknown if neither the values nor a known chart set it.
        const isKnown = defaults !== undefined || isMap(valueAt(values, 'proxyInjector.namespaceSelector'));
        return isKnown ? findingsAt(path, checkInjectorDeadlocks(mergeValues(defaults ?? {}, values), needed)) : [];
      }),
  ];
}

/** Returns the default values of the control plane's chart of a release; undefined if it is not known. */
function controlPlaneDefaults(release: string | undefined): Values | undefined {
  const facts = releaseFacts(release ?? '');
  return facts && chartDefaults(facts.charts.controlPlane);
}

/** Returns the namespace of cert-manager's controller, if it is among the objects. */
function certManagerAmong(objects: readonly KubernetesObject[]): string | undefined {
  const controller = objects.find(
    ({ kind, metadata: { name, labels } }) =>
      kind === 'Deployment' && name === 'cert-manager' && textIn(labels, 'app.kubernetes.io/name') === 'cert-manager',
  );
  return controller?.metadata.namespace;
}
