import { Construct } from 'constructs';
import type { AuthorizationPolicy } from '../../../imports/crds/policy.linkerd.io';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { checkDnsSubdomain } from '../../kubernetes/names';
import { EXTENSION } from '../../linkerd/annotations';
import type { Release } from '../../linkerd/releases/release';
import type { ServiceAccountRef } from '../viz/prometheus';

/** Props of MirrorScrapePolicy: a Prometheus that may scrape. */
export interface MirrorScrapePolicyProps {
  /** Namespace of the service mirrors. */
  readonly namespace: string;
  readonly scraper: ServiceAccountRef;
  /** Its chart decides which Servers there are. */
  readonly release: Release;
}

/** The Servers of admin ports that the chart has. */
const SERVERS = {
  shared: ['service-mirror'],
  separate: ['controller', 'linkerd-admin', 'local-service-mirror', 'service-mirror'],
};

/**
 * Lets a meshed Prometheus scrape service mirrors: one more policy for each Server of theirs, beside the chart's own.
 */
export class MirrorScrapePolicy extends Construct {
  constructor(scope: Construct, id: string, { namespace, scraper, release }: MirrorScrapePolicyProps) {
    super(scope, id);
    const { adminServers = 'separate' } = release.groups.multicluster?.templates ?? {};
    for (const server of SERVERS[adminServers]) {
      manifest(this, server, {
        apiVersion: 'policy.linkerd.io/v1alpha1',
        kind: 'AuthorizationPolicy',
        metadata: { name: `${server}-scrape`, namespace, labels: { [EXTENSION]: 'multicluster' } },
        spec: {
          targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: server },
          requiredAuthenticationRefs: [{ kind: 'ServiceAccount', name: scraper.name, namespace: scraper.namespace }],
        },
      } satisfies AuthorizationPolicy);
    }
    addRule(this, () => [
      ...checkDnsSubdomain('scraper.name', scraper.name),
      ...checkDnsSubdomain('scraper.namespace', scraper.namespace),
    ]);
  }
}
