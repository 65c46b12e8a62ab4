import { ApiObject, Chart, Testing } from 'cdk8s';
import type { Construct } from 'constructs';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { ruleErrorsIn } from '../../support/findings';

export const EDGE = { release: 'edge-26.8.3' } as const;
export const STABLE = { release: 'stable-2.14.10' } as const;

/** A chart with the namespace shop, and the mesh of a release. */
export function mesh(controlPlane: ConstructorParameters<typeof Meshing>[2]['controlPlane'] = EDGE) {
  const chart = new Chart(Testing.app(), 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  return { chart, meshing: new Meshing(chart, 'meshing', { controlPlane }) };
}

/** Returns the text of each problem that synth reports. */
export function problemsOf(scope: Construct): string[] {
  return ruleErrorsIn(scope);
}

const LABELS = { app: 'web' };

/** A plain object with pods of one container. */
export function workload(scope: Construct, kind: string, apiVersion = 'apps/v1', pods: object = podSpec()): ApiObject {
  return new ApiObject(scope, kind.toLowerCase(), {
    apiVersion,
    kind,
    metadata: { name: 'web' },
    spec: {
      ...(apiVersion === 'apps/v1' ? { selector: { matchLabels: LABELS } } : {}),
      template: { metadata: { labels: LABELS }, spec: pods },
    },
  });
}

export function podSpec(more: object = {}): object {
  return { containers: [{ name: 'main', image: 'web:1', command: ['/web'] }], ...more };
}

export function job(scope: Construct, pods: object = podSpec(), more: object = {}): ApiObject {
  return new ApiObject(scope, 'job', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', ...more },
    spec: { template: { spec: { restartPolicy: 'Never', ...pods } } },
  });
}
