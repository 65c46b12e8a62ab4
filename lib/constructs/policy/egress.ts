import { Construct } from 'constructs';
import { isObject } from '#base/is-object';
import type { EgressNetwork, HTTPRouteV1Beta3 } from '#imports/crds/policy.linkerd.io';
import { POLICY_GROUP } from '#linkerd/api-groups';
import type { Release } from '#linkerd/releases/release';
import type { ClientNetwork } from '../../checks/policy/policy-objects';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { Clients, clientsOfGroup } from './clients';
import {
  checkEgress,
  checkEgressRelease,
  checkHosts,
  checkNames,
  type EgressHosts,
  type EgressOptions,
  portOf,
  routeName,
} from './egress-rules';
import type { HttpRequests } from './requests';

interface EgressPolicyProps {
  readonly namespace: string;
  readonly release: Release;
  readonly options: EgressOptions;
}

/**
 * The hosts outside the cluster that the meshed pods of a namespace may reach; for all namespaces, if the namespace is
 * the control plane's global one (`egress.globalEgressNetworkNamespace`). This protects against mistakes, not attacks:
 * a malicious program can bypass its proxy.
 */
export class EgressPolicy extends Construct {
  constructor(scope: Construct, id: string, { namespace, release, options }: EgressPolicyProps) {
    super(scope, id);
    const { name = 'egress', mode = 'allow', networks } = options;
    const to = Array.isArray(options.to) ? (options.to as readonly EgressHosts[]) : [];
    const problems = [
      ...checkEgress(namespace, name, options),
      // `checkEgress` reports values that are not maps.
      ...to.flatMap((hosts, index) => (isObject(hosts) ? checkHosts(`to[${index}]`, hosts) : [])),
      ...checkNames(name, to),
      ...checkEgressRelease(release),
    ];
    addRule(this, () => problems);
    if (problems.length > 0) return;
    ensureNamespace(this, namespace);
    manifest(this, 'network', {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'EgressNetwork',
      metadata: { name, namespace },
      spec: {
        trafficPolicy: mode === 'deny' ? 'Deny' : 'Allow',
        ...(networks === undefined
          ? {}
          : { networks: clientsOfGroup('networks', Clients.networks(...networks)).clients.networks.map(blockOf) }),
      },
    } satisfies EgressNetwork);
    for (const hosts of to) this.addRoute(namespace, name, hosts);
  }

  private addRoute(namespace: string, network: string, hosts: EgressHosts): void {
    const { protocol = 'TLS', requests } = hosts;
    const port = portOf(hosts);
    const name = routeName(network, hosts);
    const metadata = { name, namespace };
    const parent = { group: POLICY_GROUP, kind: 'EgressNetwork', name: network };
    if (protocol === 'TLS') {
      manifest(this, name, {
        apiVersion: 'gateway.networking.k8s.io/v1alpha2',
        kind: 'TLSRoute',
        metadata,
        spec: {
          hostnames: hosts.hosts,
          parentRefs: [{ ...parent, namespace, port }],
          rules: [{ backendRefs: [parent] }],
        },
      });
      return;
    }
    manifest(this, name, {
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'HTTPRoute',
      metadata,
      spec: {
        hostnames: hosts.hosts,
        parentRefs: [{ ...parent, namespace, port }],
        rules: [{ ...(requests === undefined ? {} : { matches: requests.map(matchOf) }) }],
      },
    } satisfies HTTPRouteV1Beta3);
  }
}

function matchOf({ method, path, pathPrefix }: HttpRequests) {
  return {
    path:
      path === undefined
        ? { type: 'PathPrefix' as const, value: pathPrefix ?? '/' }
        : { type: 'Exact' as const, value: path },
    ...(method === undefined ? {} : { method }),
  };
}

function blockOf({ cidr, except }: ClientNetwork) {
  return except.length === 0 ? { cidr } : { cidr, except };
}
